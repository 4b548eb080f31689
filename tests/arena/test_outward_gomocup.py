"""The protocol of Gomocup, spoken as a brain, line by line and without processes."""

import random

import pytest

from agents.seat import Answer, Fault
from arena.engine.desk import Desk
from arena.engine.gomocup import GomocupServer
from arena.engine.title import Title
from arena.referee.scripted_player import ScriptedPlayer
from games.base import BLACK, WHITE, load


class Talk:
    """A server with a scripted player."""

    def __init__(self, *script: str | Answer | Exception) -> None:
        self.players: list[ScriptedPlayer] = []
        self._script = list(script)
        desk = Desk(self._seat, seconds=60.0)
        self.server = GomocupServer(desk, load("gomoku"), Title('my "bot"', "1.0"))

    def _seat(self) -> ScriptedPlayer:
        self.players.append(ScriptedPlayer(iter(self._script) if not self.players else ()))
        return self.players[-1]

    def __call__(self, *lines: str) -> list[str]:
        answers: list[str] = []
        for line in lines:
            assert self.server.hear(line) is None
            answers.extend(self.server.handle(line))
        return answers

    @property
    def own(self) -> list[float]:
        return [times.own for player in self.players for _, times in player.asked]


def test_it_opens_a_game_and_goes_on() -> None:
    talk = Talk("7,7", "8,8")
    assert talk("START 15", "BEGIN", "TURN 7,8") == ["OK", "7,7", "8,8"]
    assert talk.players[0].asked[1][0].moves == ("7,7", "7,8")
    assert talk.players[0].colors == [BLACK]


def test_it_answers_an_opening() -> None:
    talk = Talk("8,8")
    assert talk("START 15", "TURN 7,7") == ["OK", "8,8"]
    assert talk.players[0].colors == [WHITE]


@pytest.mark.parametrize("size", [5, 11, 15, 19])
def test_sizes_that_there_are(size: int) -> None:
    talk = Talk()
    assert talk(f"START {size}", "BEGIN") == ["OK", "0,0"]
    assert talk.players[0].asked[0][0].start.count("/") == size - 1


@pytest.mark.parametrize("words", ["START 20", "START 4", "START", "START x", "START -5", "RECTSTART 15,10"])
def test_sizes_that_there_are_not(words: str) -> None:
    (answer,) = Talk()(words)
    assert answer.startswith("ERROR ")


@pytest.mark.parametrize("words", ["BEGIN", "TURN 7,7", "BOARD", "TAKEBACK 1,1"])
def test_a_board_comes_first(words: str) -> None:
    assert Talk()(words) == ["ERROR no board yet: START and a size"]


@pytest.mark.parametrize("words", ["TURN 15,0", "TURN 0,0", "TURN 1", "TURN a,b", "TURN 1,2,3", "TURN"])
def test_moves_that_are_none_change_nothing(words: str) -> None:
    talk = Talk("0,0", "1,1")
    (answer,) = talk("START 15", "BEGIN", words)[2:]
    assert answer.startswith("ERROR ")
    assert talk("TURN 5,5") == ["1,1"]


def test_a_game_begins_once() -> None:
    assert Talk("0,0")("START 15", "BEGIN", "BEGIN")[-1] == "ERROR the game has begun; RESTART first"


def test_a_board_is_taken_move_by_move_in_its_order() -> None:
    talk = Talk("3,3")
    assert talk("START 15", "BOARD", "1,1,2", "2,2,1", "5,5,2", "DONE") == ["OK", "3,3"]
    history = talk.players[0].asked[0][0]
    assert history.moves == ("1,1", "2,2", "5,5")
    assert talk.players[0].colors == [WHITE]
    assert talk("TURN 6,6")[0]
    assert len(talk.players) == 1


def test_an_empty_board_is_opened() -> None:
    talk = Talk("3,3")
    assert talk("START 15", "BOARD", "DONE") == ["OK", "3,3"]
    assert talk.players[0].colors == [BLACK]


def test_a_board_in_another_order_is_a_position() -> None:
    talk = Talk("3,3")
    assert talk("START 5", "BOARD", "0,0,1", "1,0,1", "2,0,2", "3,0,2", "4,4,3", "DONE") == ["OK", "3,3"]
    history = talk.players[0].asked[0][0]
    assert history.start == "XXOO./...../...../...../..... X"
    assert history.moves == ()


def test_a_board_told_again_is_the_same_game_for_the_same_player() -> None:
    talk = Talk("3,3", "4,4", "4,4")
    talk("START 15", "TURN 1,1", "TURN 2,2")
    assert talk("BOARD", "1,1,2", "3,3,1", "2,2,2", "DONE") == ["4,4"]
    assert len(talk.players) == 1


@pytest.mark.parametrize("stone", ["1,1", "1,1,4", "x", "99,1,1,1", "TURN 1,1"])
def test_a_board_that_cannot_be_read_is_given_up(stone: str) -> None:
    talk = Talk("3,3")
    assert talk("START 15", "BOARD", stone)[-1].startswith("ERROR a BOARD is told in lines")
    assert talk("TURN 1,1") == ["3,3"]


def test_two_stones_on_one_point_are_refused() -> None:
    assert Talk()("START 15", "BOARD", "1,1,1", "1,1,2", "DONE")[-1] == "ERROR no such move here"


@pytest.mark.parametrize("stones", [["1,1,1", "1,1,1", "2,2,2"], ["99,1,1", "1,1,1", "2,2,2"]])
def test_a_position_that_is_none_is_refused(stones: list[str]) -> None:
    words = "ERROR two stones on one point, or one beside the board"
    assert Talk()("START 15", "BOARD", *stones, "DONE")[-1] == words


def test_a_position_in_which_both_have_won_is_refused() -> None:
    stones = [f"{x},{y},{y + 1}" for y in range(2) for x in range(5)]
    assert Talk()("START 9", "BOARD", *stones, "DONE")[-1] == "ERROR both sides have five in a line"


def test_the_end_is_heard_in_the_middle_of_a_board() -> None:
    talk = Talk()
    talk("START 15", "BOARD", "END")
    assert talk.server.is_over


def test_a_game_can_be_started_again() -> None:
    talk = Talk("0,0")
    assert talk("START 15", "BEGIN", "RESTART", "BEGIN") == ["OK", "0,0", "OK", "0,0"]
    assert len(talk.players) == 2
    assert talk("RESTART") == ["OK"]


def test_a_restart_needs_no_start() -> None:
    assert Talk()("RESTART", "BEGIN") == ["OK", "0,0"]


def test_moves_are_taken_back_from_the_last_one() -> None:
    talk = Talk("0,0")
    assert talk("START 15", "BEGIN", "TAKEBACK 1,1", "TAKEBACK 0,0") == [
        "OK", "0,0", "ERROR that is not the last move", "OK",
    ]  # fmt: skip
    assert talk("TAKEBACK 0,0", "BEGIN") == ["ERROR that is not the last move", "0,0"]


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ([], 60.0), (["timeout_turn 5000"], 5.0), (["timeout_turn 0"], 0.5), (["timeout_match 100000"], 100.0),
        (["timeout_match 100000", "time_left 3000"], 3.0), (["timeout_turn 5000", "timeout_match 0"], 5.0),
        (["timeout_turn 5000", "timeout_match 0", "time_left 2147483647"], 5.0), (["time_left 4000"], 4.0),
        (["timeout_turn 5000", "timeout_match 9000", "time_left 0"], 0.01), (["timeout_turn x"], 60.0),
        (["max_memory 83886080", "game_type 1", "folder /tmp", "evaluate 1,1", ""], 60.0),
    ],
)  # fmt: skip
def test_the_agent_is_told_the_clock(told: list[str], own: float) -> None:
    talk = Talk("0,0")
    assert talk("START 15", *(f"INFO {words}" for words in told), "BEGIN") == ["OK", "0,0"]
    assert talk.own == [own]


def test_other_rules_are_not_played() -> None:
    talk = Talk()
    assert talk("INFO rule 0") == []
    assert talk("INFO rule 1") == ["MESSAGE only rule 0 is known here: five or more in a line win"]


def test_it_says_what_it_is() -> None:
    assert Talk()("ABOUT") == ['name="arena my \'bot\'", version="1.0"']


def test_what_it_does_not_know_it_says() -> None:
    assert Talk()("SWAP2BOARD", "hello\x1b x", "") == ["UNKNOWN SWAP2BOARD", r"UNKNOWN hello\x1b"]


def test_a_fault_is_an_error_and_the_game_goes_on() -> None:
    talk = Talk(Fault("time", "no answer\nin time"))
    assert talk("START 15", "BEGIN")[1] == r"ERROR the agent broke the rule 'time': no answer\x0ain time"
    assert talk("BEGIN") == ["0,0"]


def test_after_a_five_there_is_no_move() -> None:
    talk = Talk("0,4", "1,4", "2,4", "3,4")
    turns = [f"TURN {x},0" for x in range(5)]
    assert talk("START 9", *turns)[-1] == "ERROR the game is over: five"


def test_the_end_ends_a_thought_too() -> None:
    talk = Talk()
    assert talk.server.ends("END")
    assert not talk.server.ends("BEGIN")
    assert talk("END") == []
    assert talk.server.is_over


def test_commands_may_be_written_small() -> None:
    assert Talk("7,7")("start 15", "begin") == ["OK", "7,7"]


@pytest.mark.parametrize("seed", range(5))
def test_whole_games_keep_to_the_rules(seed: int) -> None:
    rng = random.Random(seed)
    talk, state = Talk(), load("gomoku:size=7").start()
    talk("START 7")
    line = "BEGIN"
    while True:
        (answer,) = talk(line)
        state = state.forward(state.parse(answer))
        if state.is_game_over():
            break
        move = rng.choice([*state.legal_moves])
        state = state.forward(move)
        line = f"TURN {move}"
        if state.is_game_over():
            assert talk(line)[0].startswith("ERROR the game is over")
            break
    assert len(talk.players) == 1

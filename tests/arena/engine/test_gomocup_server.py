"""The Gomocup server, line by line and without processes."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from agents.seat import Fault
from arena.engine.gomocup import GomocupServer
from games.base import BLACK, WHITE, load

SERVER = GomocupServer
GAME = "gomoku"
TalkTo = Callable[..., Any]  # the fixture `talk_to` of conftest.py


def test_it_plays_as_first(talk_to: TalkTo) -> None:
    talk = talk_to("7,7", "8,8")
    assert talk("START 15", "BEGIN", "TURN 7,8") == ["OK", "7,7", "8,8"]
    assert talk.players[0].asked[1][0].moves == ("7,7", "7,8")
    assert talk.players[0].colors == [BLACK]


def test_it_plays_as_second(talk_to: TalkTo) -> None:
    talk = talk_to("8,8")
    assert talk("START 15", "TURN 7,7") == ["OK", "8,8"]
    assert talk.players[0].colors == [WHITE]


@pytest.mark.parametrize("size", [5, 11, 15, 20])
def test_supported_board_sizes(talk_to: TalkTo, size: int) -> None:
    talk = talk_to()
    assert talk(f"START {size}", "BEGIN") == ["OK", "0,0"]
    assert talk.players[0].asked[0][0].start.count("/") == size - 1


@pytest.mark.parametrize("words", ["START 21", "START 4", "START", "START x", "START -5", "RECTSTART 15,10"])
def test_unsupported_board_sizes_are_errors(talk_to: TalkTo, words: str) -> None:
    (answer,) = talk_to()(words)
    assert answer.startswith("ERROR ")


@pytest.mark.parametrize("words", ["BEGIN", "TURN 7,7", "BOARD", "TAKEBACK 1,1"])
def test_moves_before_start_are_errors(talk_to: TalkTo, words: str) -> None:
    assert talk_to()(words) == ["ERROR no board yet; send START and a size"]


@pytest.mark.parametrize("words", ["TURN 15,0", "TURN 0,0", "TURN 1", "TURN a,b", "TURN 1,2,3", "TURN"])
def test_an_illegal_move_is_an_error_and_changes_nothing(talk_to: TalkTo, words: str) -> None:
    talk = talk_to("0,0", "1,1")
    (answer,) = talk("START 15", "BEGIN", words)[2:]
    assert answer.startswith("ERROR ")
    assert talk("TURN 5,5") == ["1,1"]


def test_begin_is_an_error_in_a_game_with_moves(talk_to: TalkTo) -> None:
    assert talk_to("0,0")("START 15", "BEGIN", "BEGIN")[-1] == "ERROR the game has already begun; send RESTART first"


def test_a_board_in_the_order_of_play_is_a_game(talk_to: TalkTo) -> None:
    talk = talk_to("3,3")
    assert talk("START 15", "BOARD", "1,1,2", "2,2,1", "5,5,2", "DONE") == ["OK", "3,3"]
    history = talk.players[0].asked[0][0]
    assert history.moves == ("1,1", "2,2", "5,5")
    assert talk.players[0].colors == [WHITE]
    assert talk("TURN 6,6")[0]
    assert len(talk.players) == 1


def test_an_empty_board_is_the_start_position(talk_to: TalkTo) -> None:
    talk = talk_to("3,3")
    assert talk("START 15", "BOARD", "DONE") == ["OK", "3,3"]
    assert talk.players[0].colors == [BLACK]


def test_a_board_in_another_order_is_a_position(talk_to: TalkTo) -> None:
    talk = talk_to("3,3")
    assert talk("START 5", "BOARD", "0,0,1", "1,0,1", "2,0,2", "3,0,2", "4,4,3", "DONE") == ["OK", "3,3"]
    history = talk.players[0].asked[0][0]
    assert history.start == "XXOO./...../...../...../..... X"
    assert history.moves == ()


def test_a_repeated_board_continues_the_same_game(talk_to: TalkTo) -> None:
    talk = talk_to("3,3", "4,4", "4,4")
    talk("START 15", "TURN 1,1", "TURN 2,2")
    assert talk("BOARD", "1,1,2", "3,3,1", "2,2,2", "DONE") == ["4,4"]
    assert len(talk.players) == 1


@pytest.mark.parametrize("stone", ["1,1", "1,1,4", "x", "99,1,1,1", "TURN 1,1"])
def test_a_board_that_cannot_be_read_is_an_error_and_ends_the_command(talk_to: TalkTo, stone: str) -> None:
    talk = talk_to("3,3")
    assert talk("START 15", "BOARD", stone)[-1].startswith("ERROR BOARD expects lines")
    assert talk("TURN 1,1") == ["3,3"]


def test_two_stones_on_one_point_are_an_error(talk_to: TalkTo) -> None:
    assert talk_to()("START 15", "BOARD", "1,1,1", "1,1,2", "DONE")[-1] == "ERROR illegal move"


@pytest.mark.parametrize("stones", [["1,1,1", "1,1,1", "2,2,2"], ["99,1,1", "1,1,1", "2,2,2"]])
def test_an_invalid_position_is_an_error(talk_to: TalkTo, stones: list[str]) -> None:
    words = "ERROR two stones on one point, or a stone outside the board"
    assert talk_to()("START 15", "BOARD", *stones, "DONE")[-1] == words


def test_a_position_with_two_winners_is_an_error(talk_to: TalkTo) -> None:
    stones = [f"{x},{y},{y + 1}" for y in range(2) for x in range(5)]
    assert talk_to()("START 9", "BOARD", *stones, "DONE")[-1] == "ERROR both sides have five in a line"


def test_end_is_obeyed_in_the_middle_of_a_board(talk_to: TalkTo) -> None:
    talk = talk_to()
    talk("START 15", "BOARD", "END")
    assert talk.server.is_over


def test_restart_begins_a_new_game(talk_to: TalkTo) -> None:
    talk = talk_to("0,0")
    assert talk("START 15", "BEGIN", "RESTART", "BEGIN") == ["OK", "0,0", "OK", "0,0"]
    assert len(talk.players) == 2
    assert talk("RESTART") == ["OK"]


def test_restart_works_without_start(talk_to: TalkTo) -> None:
    assert talk_to()("RESTART", "BEGIN") == ["OK", "0,0"]


def test_only_the_last_move_can_be_taken_back(talk_to: TalkTo) -> None:
    talk = talk_to("0,0")
    assert talk("START 15", "BEGIN", "TAKEBACK 1,1", "TAKEBACK 0,0") == [
        "OK", "0,0", "ERROR that is not the last move", "OK",
    ]  # fmt: skip
    assert talk("TAKEBACK 0,0", "BEGIN") == ["ERROR that is not the last move", "0,0"]


@pytest.mark.parametrize(
    ("limits", "own"),
    [
        ([], 60.0), (["timeout_turn 5000"], 5.0), (["timeout_turn 0"], 0.5), (["timeout_match 100000"], 100.0),
        (["timeout_match 100000", "time_left 3000"], 3.0), (["timeout_turn 5000", "timeout_match 0"], 5.0),
        (["timeout_turn 5000", "timeout_match 0", "time_left 2147483647"], 5.0), (["time_left 4000"], 4.0),
        (["timeout_turn 5000", "timeout_match 9000", "time_left 0"], 0.01), (["timeout_turn x"], 60.0),
        (["max_memory 83886080", "game_type 1", "folder /tmp", "evaluate 1,1", ""], 60.0),
    ],
)  # fmt: skip
def test_the_agent_gets_the_clock(talk_to: TalkTo, limits: list[str], own: float) -> None:
    talk = talk_to("0,0")
    assert talk("START 15", *(f"INFO {words}" for words in limits), "BEGIN") == ["OK", "0,0"]
    assert talk.own == [own]


def test_other_rules_are_reported_as_unsupported(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk("INFO rule 0") == []
    assert talk("INFO rule 1") == ["MESSAGE only rule 0 is supported: five or more in a row win"]


def test_about_reports_name_and_version(talk_to: TalkTo) -> None:
    assert talk_to(agent='my "bot"')("ABOUT") == ['name="arena my \'bot\'", version="1.0"']


def test_unknown_commands_are_reported(talk_to: TalkTo) -> None:
    assert talk_to()("SWAP2BOARD", "hello\x1b x", "") == ["UNKNOWN SWAP2BOARD", r"UNKNOWN hello\x1b"]


def test_a_fault_is_an_error_and_the_game_continues(talk_to: TalkTo) -> None:
    talk = talk_to(Fault("time", "no answer\nin time"))
    assert talk("START 15", "BEGIN")[1] == r"ERROR the agent broke the rule 'time': no answer\x0ain time"
    assert talk("BEGIN") == ["0,0"]


def test_after_a_win_there_is_no_move(talk_to: TalkTo) -> None:
    talk = talk_to("0,4", "1,4", "2,4", "3,4")
    turns = [f"TURN {x},0" for x in range(5)]
    assert talk("START 9", *turns)[-1] == "ERROR the game is over: five"


def test_end_is_obeyed_while_the_agent_thinks(talk_to: TalkTo) -> None:
    talk = talk_to()
    assert talk.server.is_quit("END")
    assert not talk.server.is_quit("BEGIN")
    assert talk("END") == []
    assert talk.server.is_over


def test_commands_may_be_written_in_lower_case(talk_to: TalkTo) -> None:
    assert talk_to("7,7")("start 15", "begin") == ["OK", "7,7"]


@pytest.mark.parametrize("seed", range(5))
def test_whole_games_follow_the_rules(talk_to: TalkTo, seed: int) -> None:
    rng = random.Random(seed)
    talk, state = talk_to(), load("gomoku:size=7").start()
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


def test_no_line_is_answered_out_of_turn(talk_to: TalkTo) -> None:
    server = talk_to().server
    for line in ("START 15", "BEGIN", "END", ""):
        assert server.reply_at_once(line) is None

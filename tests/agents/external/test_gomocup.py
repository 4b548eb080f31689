"""How brains of Gomocup are spoken to: by script, and with a real one that listens well or badly."""

import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.external import gomocup
from agents.external.dialect import Dialect
from agents.external.gomocup import Gomocup
from agents.external.scripted import ScriptedChannel
from agents.seat import Channel, Ended, Fault, History, Late, Times
from games.base import BLACK, WHITE, Color, State, load
from games.errors import BadParameters

GAME = load("gomoku")
START = GAME.start().text
BRAIN = Path(__file__).parent / "brains" / "brain.py"
FAR = 1e12

Script = Callable[[str], Iterable[str | Exception]]


def times(own: float = 400.0) -> Times:
    return Times(own=own, opponent=300.0, opponent_last_move=1.0)


def history(*moves: str, start: str = START) -> History:
    state = GAME.position(start)
    for move in moves:
        state = state.forward(move)
    return History(start, moves, state)


def polite(*answers: str | Exception | None) -> Script:
    """A brain that gives these answers, one to each command that wants a move; none is silence."""
    left = iter(answers)

    def reply(line: str) -> Iterable[str | Exception]:
        assert line.endswith("\r")
        word = line.split()[0]
        if word == "START":
            return ["OK"]
        if word in ("BEGIN", "TURN", "DONE"):
            answer = next(left)
            return [] if answer is None else [answer]
        return []

    return reply


def begun(reply: Script, **options: float) -> tuple[Gomocup, ScriptedChannel]:
    """A dialect in a new game, and its channel without the words of the beginning."""
    dialect, channel = Gomocup(GAME, options), ScriptedChannel(reply)
    dialect.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    channel.sent.clear()
    return dialect, channel


def said(channel: ScriptedChannel) -> list[str]:
    """What was sent since the last look, but for limits."""
    lines = [line.rstrip("\r") for line in channel.sent if not line.startswith("INFO")]
    channel.sent.clear()
    return lines


def test_it_is_a_dialect_for_gomoku() -> None:
    dialect: Dialect = Gomocup(GAME, {})
    assert dialect.games == ("gomoku",)
    assert dialect.starts == "anywhere"
    assert dialect.name == ""


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ('name="SomeBrain", version="1.0", author="A", country="B"', "SomeBrain 1.0"),
        ('version="2", NAME = "Other"', "Other 2"),
        ('name="Alone"', "Alone"),
        ("My brain, the best", "My brain, the best"),
        ("UNKNOWN", ""),
        ("ERROR what?", ""),
        ("x" * 50_000, "x" * 100),
        (f'name="{"y" * 50_000}"', "y" * 100),
    ],
)
def test_a_brain_says_its_name(about: str, name: str) -> None:
    dialect = Gomocup(GAME, {})
    dialect.greet(ScriptedChannel(lambda line: ["", "MESSAGE hello", "DEBUG x", about]), FAR)
    assert dialect.name == name


def test_a_brain_that_does_not_say_its_name_may_play() -> None:
    dialect, channel = Gomocup(GAME, {}), ScriptedChannel(polite("5,5"))
    dialect.greet(channel, FAR)
    assert said(channel) == ["ABOUT", "ABOUT"]
    assert dialect.name == ""
    dialect.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert dialect.ask(channel, history(), times(), FAR) == "5,5"


def test_a_brain_that_is_gone_when_greeted_has_ended() -> None:
    with pytest.raises(Ended):
        Gomocup(GAME, {}).greet(ScriptedChannel(lambda line: [Ended("gone")]), FAR)


def test_a_game_begins_with_size_and_rule() -> None:
    game = load("gomoku:size=15")
    channel = ScriptedChannel(polite())
    Gomocup(game, {}).begin(channel, WHITE, start=game.start().text, seed=1, deadline=FAR)
    assert channel.sent == ["START 15\r", "INFO rule 0\r", "INFO game_type 1\r"]


def test_the_memory_is_told_in_bytes() -> None:
    channel = ScriptedChannel(polite())
    Gomocup(GAME, {"max_memory": 350}).begin(channel, WHITE, start=START, seed=1, deadline=FAR)
    assert channel.sent[-1] == "INFO max_memory 367001600\r"


def test_a_start_that_is_lost_is_said_again() -> None:
    replies = iter([[], ["MESSAGE here I am", "UNKNOWN", "ok"]])
    channel = ScriptedChannel(lambda line: next(replies) if line.startswith("START") else [])
    Gomocup(GAME, {}).begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert said(channel) == ["START 11", "START 11"]


def test_a_refused_size_is_a_fault() -> None:
    channel = ScriptedChannel(lambda line: [f"ERROR unsupported size{'!' * 9999}"])
    with pytest.raises(Fault, match=r"^protocol: answered 'ERROR unsupported size!+' to 'START 11'$") as caught:
        Gomocup(GAME, {}).begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert len(caught.value.detail) < 150


def test_a_brain_that_does_not_know_start_is_at_fault() -> None:
    channel = ScriptedChannel(lambda line: ["UNKNOWN command"])
    with pytest.raises(Fault, match="answered 'UNKNOWN command' to 'START 11'"):
        Gomocup(GAME, {}).begin(channel, BLACK, start=START, seed=1, deadline=FAR)


def test_a_silent_brain_is_late() -> None:
    with pytest.raises(Late):
        Gomocup(GAME, {}).begin(ScriptedChannel(lambda line: []), BLACK, start=START, seed=1, deadline=FAR)


def test_a_game_is_told_move_by_move() -> None:
    dialect, channel = begun(polite("5,5", "6,6"))
    assert dialect.ask(channel, history(), times(), FAR) == "5,5"
    assert said(channel) == ["BEGIN"]
    assert dialect.ask(channel, history("5,5", "0,10"), times(), FAR) == "6,6"
    assert said(channel) == ["TURN 0,10"]


def test_the_second_player_hears_of_the_first_move() -> None:
    dialect, channel = begun(polite("5,5"))
    assert dialect.ask(channel, history("3,4"), times(), FAR) == "5,5"
    assert said(channel) == ["TURN 3,4"]


def test_an_opening_is_told_as_a_board() -> None:
    dialect, channel = begun(polite("5,5", "6,6"))
    dialect.ask(channel, history("1,0", "2,0", "3,0"), times(), FAR)
    assert said(channel) == ["BOARD", "1,0,2", "2,0,1", "3,0,2", "DONE"]
    dialect.ask(channel, history("1,0", "2,0", "3,0", "5,5", "4,0"), times(), FAR)
    assert said(channel) == ["TURN 4,0"]


def test_a_position_is_told_as_a_board_column_before_row() -> None:
    rows = ["." * 11] * 11
    rows[2] = "X" + "." * 9 + "O"
    dialect, channel = begun(polite("5,5", "6,6"))
    start = "/".join(rows) + " O"
    dialect.ask(channel, history(start=start), times(), FAR)
    assert said(channel) == ["BOARD", "0,2,2", "10,2,1", "DONE"]
    dialect.ask(channel, history("5,5", "4,3", start=start), times(), FAR)
    assert said(channel) == ["TURN 4,3"]


def test_a_single_stone_of_its_own_is_no_turn() -> None:
    rows = ["." * 11] * 11
    rows[0] = "X" + "." * 10
    dialect, channel = begun(polite("5,5"))
    dialect.ask(channel, history(start="/".join(rows) + " X"), times(), FAR)
    assert said(channel) == ["BOARD", "0,0,1", "DONE"]


def test_another_game_than_the_brain_knows_is_told_as_a_board() -> None:
    dialect, channel = begun(polite("5,5", "6,6"))
    dialect.ask(channel, history(), times(), FAR)
    said(channel)
    dialect.ask(channel, history("5,6", "0,0"), times(), FAR)
    assert said(channel) == ["BOARD", "5,6,1", "0,0,2", "DONE"]


def test_a_second_game_starts_on_an_empty_board() -> None:
    dialect, channel = begun(polite("5,5", "5,5"))
    dialect.ask(channel, history(), times(), FAR)
    dialect.begin(channel, BLACK, start=START, seed=2, deadline=FAR)
    assert said(channel) == ["BEGIN", "START 11"]
    dialect.ask(channel, history("3,3"), times(100.0), FAR)
    assert channel.sent[0] == "INFO timeout_match 100000\r"
    assert said(channel) == ["TURN 3,3"]


def test_the_limits_are_told_in_milliseconds_when_they_change() -> None:
    dialect, channel = begun(polite("5,5", "6,6", "7,7"))
    dialect.ask(channel, history(), times(400.0), FAR)
    assert channel.sent[:-1] == ["INFO timeout_match 400000\r", "INFO timeout_turn 20000\r", "INFO time_left 400000\r"]
    channel.sent.clear()
    dialect.ask(channel, history("5,5", "0,0"), times(380.0), FAR)
    assert channel.sent[:-1] == ["INFO timeout_turn 19000\r", "INFO time_left 380000\r"]
    channel.sent.clear()
    dialect.ask(channel, history("5,5", "0,0", "6,6", "0,1"), times(380.0), FAR)
    assert channel.sent == ["TURN 0,1\r"]


def test_the_time_for_a_move_can_be_set() -> None:
    dialect, channel = begun(polite("5,5", "6,6"), turn=2)
    dialect.ask(channel, history(), times(400.0), FAR)
    assert "INFO timeout_turn 2000\r" in channel.sent
    dialect.ask(channel, history("5,5", "0,0"), times(0.0001), FAR)
    assert channel.sent[-3:-1] == ["INFO timeout_turn 1\r", "INFO time_left 1\r"]


@pytest.mark.parametrize(
    "chatter", ["MESSAGE 1,1", "DEBUG x", "SUGGEST 4,4", "ERROR INFO", "UNKNOWN", "OK", "", "é\x00("]
)
def test_chatter_is_passed_over(chatter: str) -> None:
    dialect, channel = begun(lambda line: {"START": ["OK"], "BEGIN": [chatter, "5 , 07"]}.get(line.split()[0], []))
    assert dialect.ask(channel, history(), times(), FAR) == "5,7"


@pytest.mark.parametrize("answer", ["5,5", "11,0", "999,999"])
def test_a_move_that_is_not_legal_is_handed_on(answer: str) -> None:
    dialect, channel = begun(polite(answer))
    assert dialect.ask(channel, history("5,5"), times(), FAR) == answer


@pytest.mark.parametrize("answer", ["5;5", "5,5,1", "-1,0", "1000,0", "٣,٣", "move 3,3", "9" * 60_000])
def test_what_is_no_move_is_not_taken_for_one(answer: str) -> None:
    dialect, channel = begun(polite(answer, answer))
    with pytest.raises(Late):
        dialect.ask(channel, history("5,5"), times(), FAR)


def test_a_lost_turn_is_told_again_as_a_board() -> None:
    dialect, channel = begun(polite("5,5", None, "6,6"))
    dialect.ask(channel, history(), times(), FAR)
    said(channel)
    assert dialect.ask(channel, history("5,5", "0,0"), times(), FAR) == "6,6"
    assert said(channel) == ["TURN 0,0", "BOARD", "5,5,1", "0,0,2", "DONE"]


def test_a_lost_begin_is_said_again() -> None:
    dialect, channel = begun(polite(None, "5,5"))
    assert dialect.ask(channel, history(), times(), FAR) == "5,5"
    assert said(channel) == ["BEGIN", "BEGIN"]


def test_it_is_told_again_but_once() -> None:
    dialect, channel = begun(polite(None, None))
    with pytest.raises(Late):
        dialect.ask(channel, history("0,0"), times(), FAR)
    assert said(channel) == ["TURN 0,0", "BOARD", "0,0,2", "DONE"]


def test_a_brain_that_reports_an_error_and_no_move_is_at_fault() -> None:
    dialect, channel = begun(polite("ERROR no such field", None))
    with pytest.raises(Fault, match=r"^protocol: answered 'ERROR no such field' to 'TURN 0,0'$"):
        dialect.ask(channel, history("0,0"), times(), FAR)


def test_the_second_of_two_answers_is_not_taken_for_the_next_move() -> None:
    # It thought for long, and answers both the turn and the board: the latter after we have gone on.
    def reply(line: str) -> Iterable[str | Exception]:
        word = line.split()[0]
        if word == "TURN":
            return [Late("it thinks"), "5,5"]
        if word == "DONE":
            return next(boards)
        return ["OK"] if word == "START" else []

    boards = iter([["6,6", "ERROR tired"], ["7,7"], ["8,8"]])
    dialect, channel = begun(reply)
    assert dialect.ask(channel, history("0,0"), times(), FAR) == "5,5"
    said(channel)
    assert dialect.ask(channel, history("0,0", "5,5", "0,1"), times(), FAR) == "7,7"
    assert said(channel) == ["START 11", "BOARD", "0,0,2", "5,5,1", "0,1,2", "DONE"]


def test_it_waits_for_twice_the_time_that_it_told_and_never_beyond_the_deadline() -> None:
    deadlines = []

    class Listening(ScriptedChannel):
        def receive(self, deadline: float) -> str:
            deadlines.append(deadline)
            return super().receive(deadline)

    channel = Listening(polite(None, "5,5", None, "6,6"))
    dialect = Gomocup(GAME, {}, now=lambda: 1000.0)
    dialect.begin(channel, BLACK, start=START, seed=1, deadline=1002.0)
    assert deadlines == [1000.5]
    dialect.ask(channel, history("0,0"), times(400.0), 1400.0)
    assert deadlines[1:] == [1040.0, 1400.0]
    dialect.ask(channel, history("0,0", "5,5", "1,1"), times(10.0), 1010.0)
    assert deadlines[3:] == [1002.5, 1001.0, 1010.0]


def test_a_brain_that_ends_has_ended() -> None:
    dialect, channel = begun(polite(Ended("gone")))
    with pytest.raises(Ended):
        dialect.ask(channel, history(), times(), FAR)
    dialect.end(channel)


def test_it_says_goodbye() -> None:
    dialect, channel = begun(polite())
    dialect.end(channel)
    assert channel.sent == ["END\r"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 3}, "gomocup has no option 'level'; there are max_memory, turn"),
        ({"turn": 0}, "turn must be a number above 0 and up to 1000000, not 0"),
        ({"turn": float("nan")}, "turn must be a number above 0 and up to 1000000, not nan"),
        ({"max_memory": "lots"}, "max_memory must be a number above 0 and up to 1000000, not 'lots'"),
    ],
)
def test_options_that_are_none_are_named(options: dict[str, int | float | str], message: str) -> None:
    with pytest.raises(BadParameters) as caught:
        Gomocup(GAME, options)
    assert str(caught.value) == message


def played(dialect: Gomocup, channel: Channel, color: Color, *, seed: int) -> State:
    """A whole game of the brain against random moves."""
    rng = random.Random(seed)
    state: State = GAME.start()
    moves: tuple[str, ...] = ()
    deadline = time.monotonic() + 60
    dialect.begin(channel, color, start=START, seed=seed, deadline=deadline)
    while not state.is_game_over():
        if state.turn == color:
            move = dialect.ask(channel, History(START, moves, state), times(1.0), deadline)
        else:
            move = str(rng.choice(list(state.legal_moves)))
        state = state.forward(state.parse(move))
        moves = (*moves, move)
    return state


@pytest.mark.parametrize("manner", ["", "forgetful", "absent"])
def test_a_brain_plays_whole_games_however_it_listens(
    manner: str, process: Callable[[Sequence[str]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gomocup, "_LEAST_PATIENCE_SECONDS", 0.1)
    channel, dialect = process([sys.executable, str(BRAIN), manner]), Gomocup(GAME, {})
    dialect.greet(channel, time.monotonic() + 30)
    assert dialect.name == "Neighbour 1.2"
    for seed, color in enumerate([BLACK, WHITE, BLACK, WHITE]):
        ending = played(dialect, channel, color, seed=seed).ending
        assert ending is not None
        assert ending.winner == color
    assert not manner or "BOARD\r" in channel.sent
    dialect.end(channel)
    with pytest.raises(Ended):
        channel.receive(time.monotonic() + 30)

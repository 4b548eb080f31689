"""Playing against Gomocup brains: scripted brains, and a real one that can lose commands."""

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.external import gomocup
from agents.external.gomocup import Gomocup
from agents.external.protocol import EngineProtocol, ScriptedChannel
from agents.seat import Ended, Fault, History, Late, Times
from games.base import BLACK, WHITE, State, load
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


def answering(*answers: str | Exception | None) -> Script:
    """A brain that gives these answers, one for each request for a move; None is no reply."""
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
    """A protocol in a new game, and its channel, with an empty list of sent lines."""
    protocol, channel = Gomocup(GAME, options), ScriptedChannel(reply)
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    channel.sent.clear()
    return protocol, channel


def sent_lines(channel: ScriptedChannel) -> list[str]:
    """The lines sent since the last call, without limits."""
    lines = [line.rstrip("\r") for line in channel.sent if not line.startswith("INFO")]
    channel.sent.clear()
    return lines


def test_it_plays_gomoku_from_any_position() -> None:
    protocol: EngineProtocol = Gomocup(GAME, {})
    assert protocol.games == ("gomoku",)
    assert protocol.starts == "anywhere"
    assert protocol.name == ""


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
def test_the_name_of_a_brain_is_read(about: str, name: str) -> None:
    protocol = Gomocup(GAME, {})
    protocol.greet(ScriptedChannel(lambda line: ["", "MESSAGE hello", "DEBUG x", about]), FAR)
    assert protocol.name == name


def test_a_brain_without_a_name_can_play() -> None:
    protocol, channel = Gomocup(GAME, {}), ScriptedChannel(answering("5,5"))
    protocol.greet(channel, FAR)
    assert sent_lines(channel) == ["ABOUT", "ABOUT"]
    assert protocol.name == ""
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert protocol.ask(channel, history(), times(), FAR) == "5,5"


def test_a_brain_that_exits_in_the_handshake_has_ended() -> None:
    with pytest.raises(Ended):
        Gomocup(GAME, {}).greet(ScriptedChannel(lambda line: [Ended("gone")]), FAR)


def strict_brain() -> Script:
    """A brain that does not know a command with a CR at its end."""
    brain = answering("5,5")
    return lambda line: ["UNKNOWN command"] if line.endswith("\r") else brain(f"{line}\r")


def test_a_brain_that_refuses_the_carriage_return_gets_lines_without_it() -> None:
    protocol, channel = Gomocup(GAME, {"newline": "lf"}), ScriptedChannel(strict_brain())
    protocol.greet(channel, FAR)
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert protocol.ask(channel, history(), times(), FAR) == "5,5"
    protocol.end(channel)
    assert not [line for line in channel.sent if line.endswith("\r")]


def test_lines_end_with_cr_lf_by_default() -> None:
    protocol, channel = Gomocup(GAME, {}), ScriptedChannel(answering("5,5"))
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert all(line.endswith("\r") for line in channel.sent)


def test_an_unknown_line_end_is_refused() -> None:
    with pytest.raises(BadParameters, match=r"^newline must be crlf or lf, not 'cr'$"):
        Gomocup(GAME, {"newline": "cr"})


def test_the_board_of_gomocups_freestyle_has_20_lines() -> None:
    game = load("gomoku:size=20")
    protocol, channel = Gomocup(game, {}), ScriptedChannel(answering("19,19"))
    protocol.begin(channel, BLACK, start=game.start().text, seed=1, deadline=FAR)
    assert sent_lines(channel)[0] == "START 20"
    assert protocol.ask(channel, History(game.start().text, (), game.start()), times(), FAR) == "19,19"


def test_a_game_begins_with_size_and_rule() -> None:
    game = load("gomoku:size=15")
    channel = ScriptedChannel(answering())
    Gomocup(game, {}).begin(channel, WHITE, start=game.start().text, seed=1, deadline=FAR)
    assert channel.sent == ["START 15\r", "INFO rule 0\r", "INFO game_type 1\r"]


def test_the_memory_limit_is_sent_in_bytes() -> None:
    channel = ScriptedChannel(answering())
    Gomocup(GAME, {"max_memory": 350}).begin(channel, WHITE, start=START, seed=1, deadline=FAR)
    assert channel.sent[-1] == "INFO max_memory 367001600\r"


def test_a_lost_start_is_repeated() -> None:
    replies = iter([[], ["MESSAGE here I am", "UNKNOWN", "ok"]])
    channel = ScriptedChannel(lambda line: next(replies) if line.startswith("START") else [])
    Gomocup(GAME, {}).begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert sent_lines(channel) == ["START 11", "START 11"]


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


def test_a_game_is_sent_move_by_move() -> None:
    protocol, channel = begun(answering("5,5", "6,6"))
    assert protocol.ask(channel, history(), times(), FAR) == "5,5"
    assert sent_lines(channel) == ["BEGIN"]
    assert protocol.ask(channel, history("5,5", "0,10"), times(), FAR) == "6,6"
    assert sent_lines(channel) == ["TURN 0,10"]


def test_the_second_player_gets_the_first_move() -> None:
    protocol, channel = begun(answering("5,5"))
    assert protocol.ask(channel, history("3,4"), times(), FAR) == "5,5"
    assert sent_lines(channel) == ["TURN 3,4"]


def test_an_opening_is_sent_as_a_board() -> None:
    protocol, channel = begun(answering("5,5", "6,6"))
    protocol.ask(channel, history("1,0", "2,0", "3,0"), times(), FAR)
    assert sent_lines(channel) == ["BOARD", "1,0,2", "2,0,1", "3,0,2", "DONE"]
    protocol.ask(channel, history("1,0", "2,0", "3,0", "5,5", "4,0"), times(), FAR)
    assert sent_lines(channel) == ["TURN 4,0"]


def test_a_position_is_sent_as_a_board_with_column_before_row() -> None:
    rows = ["." * 11] * 11
    rows[2] = "X" + "." * 9 + "O"
    protocol, channel = begun(answering("5,5", "6,6"))
    start = "/".join(rows) + " O"
    protocol.ask(channel, history(start=start), times(), FAR)
    assert sent_lines(channel) == ["BOARD", "0,2,2", "10,2,1", "DONE"]
    protocol.ask(channel, history("5,5", "4,3", start=start), times(), FAR)
    assert sent_lines(channel) == ["TURN 4,3"]


def test_a_single_own_stone_is_sent_as_a_board() -> None:
    rows = ["." * 11] * 11
    rows[0] = "X" + "." * 10
    protocol, channel = begun(answering("5,5"))
    protocol.ask(channel, history(start="/".join(rows) + " X"), times(), FAR)
    assert sent_lines(channel) == ["BOARD", "0,0,1", "DONE"]


def test_an_unknown_game_is_sent_as_a_board() -> None:
    protocol, channel = begun(answering("5,5", "6,6"))
    protocol.ask(channel, history(), times(), FAR)
    sent_lines(channel)
    protocol.ask(channel, history("5,6", "0,0"), times(), FAR)
    assert sent_lines(channel) == ["BOARD", "5,6,1", "0,0,2", "DONE"]


def test_a_second_game_starts_on_an_empty_board() -> None:
    protocol, channel = begun(answering("5,5", "5,5"))
    protocol.ask(channel, history(), times(), FAR)
    protocol.begin(channel, BLACK, start=START, seed=2, deadline=FAR)
    assert sent_lines(channel) == ["BEGIN", "START 11"]
    protocol.ask(channel, history("3,3"), times(100.0), FAR)
    assert channel.sent[0] == "INFO timeout_match 100000\r"
    assert sent_lines(channel) == ["TURN 3,3"]


def test_changed_limits_are_sent_in_milliseconds() -> None:
    protocol, channel = begun(answering("5,5", "6,6", "7,7"))
    protocol.ask(channel, history(), times(400.0), FAR)
    assert channel.sent[:-1] == ["INFO timeout_match 400000\r", "INFO timeout_turn 20000\r", "INFO time_left 400000\r"]
    channel.sent.clear()
    protocol.ask(channel, history("5,5", "0,0"), times(380.0), FAR)
    assert channel.sent[:-1] == ["INFO timeout_turn 19000\r", "INFO time_left 380000\r"]
    channel.sent.clear()
    protocol.ask(channel, history("5,5", "0,0", "6,6", "0,1"), times(380.0), FAR)
    assert channel.sent == ["TURN 0,1\r"]


def test_the_time_for_a_move_can_be_set() -> None:
    protocol, channel = begun(answering("5,5", "6,6"), turn=2)
    protocol.ask(channel, history(), times(400.0), FAR)
    assert "INFO timeout_turn 2000\r" in channel.sent
    protocol.ask(channel, history("5,5", "0,0"), times(0.0001), FAR)
    assert channel.sent[-3:-1] == ["INFO timeout_turn 1\r", "INFO time_left 1\r"]


@pytest.mark.parametrize(
    "chatter", ["MESSAGE 1,1", "DEBUG x", "SUGGEST 4,4", "ERROR INFO", "UNKNOWN", "OK", "", "é\x00("]
)
def test_other_lines_are_ignored(chatter: str) -> None:
    protocol, channel = begun(lambda line: {"START": ["OK"], "BEGIN": [chatter, "5 , 07"]}.get(line.split()[0], []))
    assert protocol.ask(channel, history(), times(), FAR) == "5,7"


@pytest.mark.parametrize("answer", ["5,5", "11,0", "999,999"])
def test_an_illegal_move_is_returned_as_it_is(answer: str) -> None:
    protocol, channel = begun(answering(answer))
    assert protocol.ask(channel, history("5,5"), times(), FAR) == answer


@pytest.mark.parametrize("answer", ["5;5", "5,5,1", "-1,0", "1000,0", "٣,٣", "move 3,3", "9" * 60_000])
def test_a_line_that_is_not_a_move_is_ignored(answer: str) -> None:
    protocol, channel = begun(answering(answer, answer))
    with pytest.raises(Late):
        protocol.ask(channel, history("5,5"), times(), FAR)


def test_a_lost_turn_is_repeated_as_a_board() -> None:
    protocol, channel = begun(answering("5,5", None, "6,6"))
    protocol.ask(channel, history(), times(), FAR)
    sent_lines(channel)
    assert protocol.ask(channel, history("5,5", "0,0"), times(), FAR) == "6,6"
    assert sent_lines(channel) == ["TURN 0,0", "BOARD", "5,5,1", "0,0,2", "DONE"]


def test_a_lost_begin_is_repeated() -> None:
    protocol, channel = begun(answering(None, "5,5"))
    assert protocol.ask(channel, history(), times(), FAR) == "5,5"
    assert sent_lines(channel) == ["BEGIN", "BEGIN"]


def test_a_command_is_repeated_only_once() -> None:
    protocol, channel = begun(answering(None, None))
    with pytest.raises(Late):
        protocol.ask(channel, history("0,0"), times(), FAR)
    assert sent_lines(channel) == ["TURN 0,0", "BOARD", "0,0,2", "DONE"]


def test_an_error_without_a_move_is_a_fault() -> None:
    protocol, channel = begun(answering("ERROR no such field", None))
    with pytest.raises(Fault, match=r"^protocol: answered 'ERROR no such field' to 'TURN 0,0'$"):
        protocol.ask(channel, history("0,0"), times(), FAR)


def test_a_second_reply_is_not_taken_as_the_next_move() -> None:
    # A slow brain answers both the turn and the board; the second reply comes after the next command.
    def reply(line: str) -> Iterable[str | Exception]:
        word = line.split()[0]
        if word == "TURN":
            return [Late("it thinks"), "5,5"]
        if word == "DONE":
            return next(boards)
        return ["OK"] if word == "START" else []

    boards = iter([["6,6", "ERROR tired"], ["7,7"], ["8,8"]])
    protocol, channel = begun(reply)
    assert protocol.ask(channel, history("0,0"), times(), FAR) == "5,5"
    sent_lines(channel)
    assert protocol.ask(channel, history("0,0", "5,5", "0,1"), times(), FAR) == "7,7"
    assert sent_lines(channel) == ["START 11", "BOARD", "0,0,2", "5,5,1", "0,1,2", "DONE"]


def test_it_waits_for_twice_the_turn_limit_and_never_beyond_the_deadline() -> None:
    deadlines = []

    class Listening(ScriptedChannel):
        def receive(self, deadline: float) -> str:
            deadlines.append(deadline)
            return super().receive(deadline)

    channel = Listening(answering(None, "5,5", None, "6,6"))
    protocol = Gomocup(GAME, {}, now=lambda: 1000.0)
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=1002.0)
    assert deadlines == [1000.5]
    protocol.ask(channel, history("0,0"), times(400.0), 1400.0)
    assert deadlines[1:] == [1040.0, 1400.0]
    protocol.ask(channel, history("0,0", "5,5", "1,1"), times(10.0), 1010.0)
    assert deadlines[3:] == [1002.5, 1001.0, 1010.0]


def test_a_brain_that_exits_has_ended() -> None:
    protocol, channel = begun(answering(Ended("gone")))
    with pytest.raises(Ended):
        protocol.ask(channel, history(), times(), FAR)
    protocol.end(channel)


def test_the_end_is_sent() -> None:
    protocol, channel = begun(answering())
    protocol.end(channel)
    assert channel.sent == ["END\r"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 3}, "gomocup has no option 'level'; its options are max_memory, newline, turn"),
        ({"turn": 0}, "turn must be a number above 0 and up to 1000000, not 0"),
        ({"turn": float("nan")}, "turn must be a number above 0 and up to 1000000, not nan"),
        ({"max_memory": "lots"}, "max_memory must be a number above 0 and up to 1000000, not 'lots'"),
    ],
)
def test_bad_options_are_named(options: dict[str, int | float | str], message: str) -> None:
    with pytest.raises(BadParameters) as caught:
        Gomocup(GAME, options)
    assert str(caught.value) == message


@pytest.mark.parametrize("manner", ["", "forgetful", "absent"])
def test_a_brain_that_loses_commands_plays_whole_games(
    manner: str,
    process: Callable[[Sequence[str]], Any],
    whole_game: Callable[..., State],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gomocup, "_LEAST_PATIENCE_SECONDS", 0.1)
    channel, protocol = process([sys.executable, str(BRAIN), manner]), Gomocup(GAME, {})
    protocol.greet(channel, time.monotonic() + 600)
    assert protocol.name == "Neighbour 1.2"
    for seed, color in enumerate([BLACK, WHITE, BLACK, WHITE]):
        ending = whole_game(protocol, channel, GAME.start(), color, seed=seed, seconds=1.0).ending
        assert ending is not None
        assert ending.winner == color
    assert not manner or "BOARD\r" in channel.sent
    protocol.end(channel)
    with pytest.raises(Ended):
        channel.receive(time.monotonic() + 600)


@pytest.mark.parametrize(
    ("added", "turn"), [({"moves_to_go": 1}, 8000), ({"moves_to_go": 5}, 1600), ({"increment": 1.0}, 1200)]
)
def test_where_time_is_added_only_the_turn_has_a_limit(added: dict[str, Any], turn: int) -> None:
    protocol, channel = begun(answering("7,7"))
    protocol.ask(channel, history(), replace(times(10.0), **added), FAR)
    assert channel.sent[:-1] == [f"INFO timeout_turn {turn}\r"]

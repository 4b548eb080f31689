"""Playing against programs for the official Mushroom judge: scripted programs, and a real one."""

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

import agents.external
import games
from agents.external.nypc import Nypc
from agents.external.protocol import ScriptedChannel
from agents.seat import Answer, Channel, Ended, Fault, History, Late, Times
from arena.referee import referee
from arena.referee.referee import Clock
from games.base import BLACK, WHITE, Color, State
from games.errors import BadParameters
from results.notation import mushroom_log
from results.record import EntrantRecord

EXAMPLE = Path(agents.external.__file__).parent / "examples" / "nypc_bot.py"
PASS = "-1 -1 -1 -1"
SMALL = games.load("mushroom:rows=2,columns=4")
BOARD = "5519/1191 A 0"
TIMES = Times(own=9.8765, opponent=8.5, opponent_last_move=0.25)
FOREVER = 1e9


def script(*answers: str | Exception, ready: str = "OK") -> ScriptedChannel:
    """A program that is ready and then gives these answers."""
    left = iter(answers)

    def reply(line: str) -> Iterable[str | Exception]:
        return [ready] if line.startswith("READY") else itertools.islice(left, line.startswith("TIME"))

    return ScriptedChannel(reply)


def begun(channel: Channel, color: Color = WHITE, *, start: str = BOARD) -> Nypc:
    protocol = Nypc(SMALL, {})
    protocol.greet(channel, FOREVER)
    protocol.begin(channel, color, start=start, seed=1, deadline=FOREVER)
    return protocol


def short(value: object) -> str:
    """A short name of a parameter for the name of its test."""
    return str(value)[:20]


def history(*moves: str, start: str = BOARD) -> History:
    state = SMALL.position(start)
    for move in moves:
        state = state.forward(state.parse(move))
    return History(start, moves, state)


def test_the_first_player_gets_the_messages_of_the_official_judge() -> None:
    channel = script("0 0 0 1", PASS)
    protocol = begun(channel)
    assert protocol.ask(channel, history(), TIMES, FOREVER) == "0 0 0 1"
    assert protocol.ask(channel, history("0 0 0 1", "0 2 0 3"), TIMES, FOREVER) == PASS
    protocol.end(channel)
    assert channel.sent == [
        "READY FIRST", "INIT 5519 1191", "TIME 9876 8500", "OPP 0 2 0 3 250", "TIME 9876 8500", "FINISH",
    ]  # fmt: skip
    assert protocol.name == ""


def test_the_second_player_gets_the_first_move_before_it_is_asked() -> None:
    channel = script("0 2 0 3", PASS)
    protocol = begun(channel, BLACK)
    assert protocol.ask(channel, history("0 0 0 1"), TIMES, FOREVER) == "0 2 0 3"
    assert protocol.ask(channel, history("0 0 0 1", "0 2 0 3", PASS), TIMES, FOREVER) == PASS
    assert channel.sent == [
        "READY SECOND", "INIT 5519 1191", "OPP 0 0 0 1 250", "TIME 9876 8500", f"OPP {PASS} 250", "TIME 9876 8500",
    ]  # fmt: skip


def test_a_game_without_a_limit_has_large_times() -> None:
    channel = script(PASS)
    endless = Times(own=float("inf"), opponent=float("inf"), opponent_last_move=0.0)
    begun(channel).ask(channel, history(), endless, FOREVER)
    assert channel.sent[-1] == "TIME 1000000000 1000000000"


class Timed(ScriptedChannel):
    """Keeps the deadlines of `receive`."""

    def __init__(self) -> None:
        super().__init__(lambda line: ["OK"] if line.startswith("READY") else [])
        self.deadlines: list[float] = []

    def receive(self, deadline: float) -> str:
        self.deadlines.append(deadline)
        return super().receive(deadline)


@pytest.mark.parametrize(("given", "waited"), [(130.0, 103.0), (101.5, 101.5)])
def test_a_program_has_three_seconds_to_get_ready(given: float, waited: float) -> None:
    channel = Timed()
    protocol = Nypc(SMALL, {}, now=lambda: 100.0)
    protocol.begin(channel, WHITE, start=BOARD, seed=1, deadline=given)
    with pytest.raises(Late):
        protocol.ask(channel, history(), TIMES, 123.0)
    assert channel.deadlines == [waited, 123.0]


@pytest.mark.parametrize("answer", ["", "ok", "OK OK", "READY", "0 0 0 1", "\x1b[31m\ud800", "x" * 60_000], ids=short)
def test_a_reply_to_ready_other_than_ok_is_a_fault(answer: str) -> None:
    with pytest.raises(Fault) as caught:
        begun(script(ready=answer))
    assert caught.value.rule == "protocol"
    assert caught.value.detail.startswith("answered READY with ")
    assert len(caught.value.detail) < 400


@pytest.mark.parametrize("answer", ["0 0 0 1", " 0 0 0 1 ", "0\t0  0 1", "0 00 0 01", "-0 0 0 1"])
def test_numbers_may_have_extra_spaces_and_zeros(answer: str) -> None:
    channel = script(answer)
    assert begun(channel).ask(channel, history(), TIMES, FOREVER) == "0 0 0 1"


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        ("", "'': Parse failed"),
        ("pass", "'pass': Parse failed"),
        ("0 0 0", "'0 0 0': Parse failed"),
        ("0 0 0 1 0", "'0 0 0 1 0': Parse failed"),
        ("0 0 0 1.0", "'0 0 0 1.0': Parse failed"),
        ("0 0 0 ١", "'0 0 0 ١': Parse failed"),  # noqa: RUF001
        ("0 0 0 " + "1" * 60_000, f"'0 0 0 {'1' * 58}': Parse failed"),
        ("\x1b[31m", r"'\x1b[31m': Parse failed"),
        ("0 0 0 4", "'0 0 0 4': Out of range"),
        ("0 0 2 0", "'0 0 2 0': Out of range"),
        ("0 1 0 0", "'0 1 0 0': Out of range"),
        ("-1 -1 -1 0", "'-1 -1 -1 0': Out of range"),
        ("0 0 999999999 0", "'0 0 999999999 0': Out of range"),
        ("0 0 0 3", "'0 0 0 3': Sum not equals to 10"),
        ("1 0 1 0", "'1 0 1 0': Sum not equals to 10"),
    ],
    ids=short,
)
def test_an_illegal_move_is_a_fault_with_the_reason_of_the_judge(answer: str, detail: str) -> None:
    channel = script(answer)
    with pytest.raises(Fault) as caught:
        begun(channel).ask(channel, history(), TIMES, FOREVER)
    assert (caught.value.rule, caught.value.detail) == ("illegal-move", detail)


def test_a_rectangle_with_an_empty_side_does_not_fit() -> None:
    channel = script("0 1 0 3")
    with pytest.raises(Fault, match="'0 1 0 3': Not fit"):
        begun(channel, BLACK).ask(channel, history("0 0 0 1"), TIMES, FOREVER)


def test_every_rectangle_is_either_legal_or_refused_for_a_reason() -> None:
    joined = history("0 0 0 1")
    reasons = set()
    for corners in itertools.product(range(-1, 3), range(-1, 5), range(-1, 3), range(-1, 5)):
        move = " ".join(map(str, corners))
        channel = script(move)
        protocol = begun(channel, BLACK)
        if move in joined.state.legal_moves:
            assert protocol.ask(channel, joined, TIMES, FOREVER) == move
            continue
        with pytest.raises(Fault) as caught:
            protocol.ask(channel, joined, TIMES, FOREVER)
        reasons.add(caught.value.detail.removeprefix(f"{move!r}: "))
    assert reasons == {"Out of range", "Sum not equals to 10", "Not fit"}


@pytest.mark.parametrize("moves", [("0 0 0 1",), ("0 0 0 1", "0 2 0 3"), (PASS,)])
def test_the_first_player_cannot_join_a_game_that_has_started(moves: Sequence[str]) -> None:
    channel = script(PASS)
    protocol = begun(channel)
    with pytest.raises(Fault, match="protocol: cannot join a game that has already started"):
        protocol.ask(channel, history(*moves), TIMES, FOREVER)


@pytest.mark.parametrize("moves", [(), ("0 0 0 1", "0 2 0 3", PASS)])
def test_the_second_player_joins_after_the_first_move_only(moves: Sequence[str]) -> None:
    channel = script(PASS)
    protocol = begun(channel, BLACK)
    with pytest.raises(Fault, match="protocol: cannot join a game that has already started"):
        protocol.ask(channel, history(*moves), TIMES, FOREVER)


@pytest.mark.parametrize(
    "other",
    [
        history("0 2 0 3", "0 0 0 1"),  # not the move that it made
        history("0 0 0 1"),  # no new move
        history("0 0 0 1", "0 2 0 3", PASS, "1 1 1 2"),  # too many new moves
        history("0 0 0 1", "0 2 0 3", start="5519/1192 A 0"),  # another board
    ],
)
def test_a_game_that_does_not_continue_the_known_one_is_a_fault(other: History) -> None:
    channel = script("0 0 0 1", PASS)
    protocol = begun(channel)
    protocol.ask(channel, history(), TIMES, FOREVER)
    with pytest.raises(Fault, match="protocol: cannot join a game that has already started"):
        protocol.ask(channel, other, TIMES, FOREVER)


@pytest.mark.parametrize("start", ["A519/1191 A 0", "5519/1191 B 0", "5519/1191 A 1"])
def test_a_position_after_the_start_is_a_fault(start: str) -> None:
    with pytest.raises(Fault, match="protocol: cannot join a game that has already started"):
        begun(script(), start=start)


def test_a_process_plays_one_game() -> None:
    channel = script()
    protocol = begun(channel)
    with pytest.raises(Fault, match="protocol: plays one game only"):
        protocol.begin(channel, BLACK, start=BOARD, seed=2, deadline=FOREVER)


@pytest.mark.parametrize("problem", [Late("no line in time"), Ended("the program has exited")])
def test_exceptions_of_the_channel_are_passed_on(problem: Exception) -> None:
    channel = script(problem)
    with pytest.raises(type(problem)):
        begun(channel).ask(channel, history(), TIMES, FOREVER)


def test_options_are_refused() -> None:
    with pytest.raises(BadParameters, match="nypc has no option 'depth'; put options of the engine into its command"):
        Nypc(SMALL, {"depth": 3})


class Seat:
    """The simplest player that uses a protocol."""

    def __init__(self, protocol: Nypc, channel: Channel) -> None:
        self._dialect = protocol
        self._channel = channel

    def open(self, game: games.base.Game, color: Color, *, start: str, seed: int) -> None:
        self._dialect.begin(self._channel, color, start=start, seed=seed, deadline=FOREVER)

    def ask(self, history: History, times: Times) -> Answer:
        return Answer(self._dialect.ask(self._channel, history, times, FOREVER), 0.001, 0.001, 0.0)

    def close(self) -> Fault | None:
        self._dialect.end(self._channel)
        return None


@pytest.mark.parametrize(
    ("first", "second", "last"),
    [
        (["0 0 0 1", PASS], ["0 2 0 3", PASS], ["FINISH", "SCOREFIRST 2", "SCORESECOND 2"]),
        (["hello"], [], ["ABORT 0 Parse failed"]),
        (["0 0 0 9"], [], ["ABORT 0 Out of range"]),
        (["0 0 0 3"], [], ["ABORT 0 Sum not equals to 10"]),
        (["0 0 0 1"], ["0 1 0 3"], ["ABORT 1 Not fit"]),
    ],
)
def test_the_official_log_of_the_record_has_the_same_reason(
    first: Sequence[str], second: Sequence[str], last: Sequence[str]
) -> None:
    entrant = EntrantRecord(name="bot", agent="bot", path="bot", version="1", hash="0", options={})
    job = referee.Job(
        league="test", key="1", game=SMALL, first=entrant, second=entrant, seconds=10.0, start=BOARD, opening=(),
        seed=1, seed_first=1, seed_second=2,
    )  # fmt: skip
    record = referee.play(
        job, {"first": Seat(Nypc(SMALL, {}), script(*first)), "second": Seat(Nypc(SMALL, {}), script(*second))},
        Clock(10.0),
    )  # fmt: skip
    assert mushroom_log.write(record).splitlines()[-len(last) :] == last


@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_the_example_plays_whole_games_and_exits(
    process: Callable[[Sequence[str]], Channel], whole_game: Callable[..., State], color: Color
) -> None:
    game = games.load("mushroom")
    for seed in range(2):
        channel, protocol = process(["/usr/bin/python3", str(EXAMPLE)]), Nypc(game, {})
        protocol.greet(channel, FOREVER)
        ending = whole_game(protocol, channel, game.start(seed), color, seed=seed, seconds=10.0).ending
        assert ending is not None
        assert ending.winner == color
        protocol.end(channel)
        with pytest.raises(Ended):
            channel.receive(time.monotonic() + 600)

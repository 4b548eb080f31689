"""Playing against engines that speak NBoard's protocol: scripted engines, and a stand-in as a program."""

import random
from collections.abc import Callable, Iterable, Iterator

import pytest

from agents.external.nboard import NBoard
from agents.external.nboard_syntax import GameText, NBoardError, answer_line, read_answer, read_move, read_name
from agents.external.protocol import EngineProtocol, ScriptedChannel
from agents.seat import Ended, Fault, History, Late, Times
from games.base import BLACK, State, load
from games.errors import BadParameters

GAME = load("othello")
START = GAME.start().text
FAR = 1e12
TIMES = Times(own=400.0, opponent=300.0, opponent_last_move=1.0)
BOARD = "---------------------------O*------*O--------------------------- *"

Script = Callable[[str], Iterable[str | Exception]]


def engine(*answers: str) -> Script:
    """An engine like NTest: it names itself, chats, and answers `go` with these lines."""
    left = iter(answers)

    def reply(line: str) -> Iterable[str | Exception]:
        command, _, rest = line.partition(" ")
        if command == "nboard":
            return ["set myname Rock 1.5", "status ready"]
        if command == "ping":
            return [f"pong {rest}"]
        if command == "go":
            return ["status thinking", "nodestats 35805 0.00", next(left), "status waiting"]
        return []

    return reply


def history(*moves: str, start: str = START) -> History:
    state = GAME.position(start)
    for move in moves:
        state = state.forward(state.parse(move))
    return History(start, moves, state)


def begun(*answers: str, **options: int) -> tuple[NBoard, ScriptedChannel]:
    protocol, channel = NBoard(GAME, options), ScriptedChannel(engine(*answers))
    protocol.greet(channel, FAR)
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    channel.sent.clear()
    return protocol, channel


def test_it_plays_othello_from_any_position() -> None:
    protocol: EngineProtocol = NBoard(GAME, {})
    assert (protocol.games, protocol.starts, protocol.name) == (("othello",), "anywhere", "")


def test_the_conversation_of_a_game() -> None:
    protocol, channel = NBoard(GAME, {"depth": 6}), ScriptedChannel(engine("=== d3 -1.00 0.0", "=== F5/0.50/1.2"))
    protocol.greet(channel, FAR)
    assert protocol.name == "Rock 1.5"
    protocol.begin(channel, BLACK, start=START, seed=1, deadline=FAR)
    assert protocol.ask(channel, history(), TIMES, FAR) == "d3"
    assert protocol.ask(channel, history("d3", "c5", "e6"), TIMES, FAR) == "f5"
    head = f"(;GM[Othello]PC[arena]PB[?]PW[?]RE[?]TY[8]BO[8 {BOARD}]"
    assert channel.sent == [
        "nboard 2", "ping 1", "set depth 6", f"set game {head};)", "ping 2", f"set game {head};)", "ping 3", "go",
        f"set game {head}B[D3]W[C5]B[E6];)", "ping 4", "go",
    ]  # fmt: skip
    protocol.end(channel)
    assert channel.sent[-1] == "quit"


def test_a_late_reply_to_an_earlier_request_is_not_taken_for_the_next() -> None:
    protocol, channel = begun("=== d3", "=== c4")
    channel._lines.append("=== a1")
    assert protocol.ask(channel, history(), TIMES, FAR) == "d3"


@pytest.mark.parametrize(("line", "move"), [("=== a1", "a1"), ("=== resign/0/0", "resign"), ("=== x9 1 2", "x9 1 2")])
def test_what_is_not_a_legal_move_goes_to_the_referee_as_it_is(line: str, move: str) -> None:
    protocol, channel = begun(line)
    assert protocol.ask(channel, history(), TIMES, FAR) == move


def test_an_answer_without_a_move_is_a_fault() -> None:
    protocol, channel = begun("===")
    with pytest.raises(Fault, match=r"^protocol: sent '===', which has no move$"):
        protocol.ask(channel, history(), TIMES, FAR)


def test_an_engine_is_not_asked_for_a_forced_pass() -> None:
    protocol, channel = begun()
    stuck = next(state for state in positions() if list(state.legal_moves) == ["pass"])
    assert protocol.ask(channel, History(stuck.text, (), stuck), TIMES, FAR) == "pass"
    assert channel.sent == []


def positions() -> Iterator[State]:
    """The positions of random games."""
    for seed in range(20):
        rng, state = random.Random(seed), GAME.start()
        while not state.is_game_over():
            yield state
            state = state.forward(rng.choice(list(state.legal_moves)))


@pytest.mark.parametrize("script", [lambda line: [], lambda line: ["hello"]])
def test_an_engine_that_does_not_answer_is_late(script: Script) -> None:
    with pytest.raises(Late):
        NBoard(GAME, {}).greet(ScriptedChannel(script), FAR)


def test_an_engine_that_exits_has_ended() -> None:
    with pytest.raises(Ended):
        NBoard(GAME, {}).greet(ScriptedChannel(lambda line: [Ended("gone")]), FAR)


@pytest.mark.parametrize("options", [{"depth": 0}, {"depth": 61}, {"depth": "deep"}, {"level": 3}])
def test_bad_options_are_refused(options: dict[str, int | str]) -> None:
    with pytest.raises(BadParameters):
        NBoard(GAME, options)


def test_games_come_back_as_they_were() -> None:
    for state in positions():
        text = GameText(state.text)
        assert GameText.read(str(text)) == text
    made = GameText(START, ("d3", "c5", "pass"))
    assert GameText.read(str(made)) == made


def test_games_of_other_programs_are_read() -> None:
    found = GameText.read(
        "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
        f"BO[8 {BOARD}]B[F5]W[F6/-1.20/0.5]B[D3//2]W[PA];)"
    )
    assert found == GameText(START, ("f5", "f6", "d3", "pass"))


@pytest.mark.parametrize(
    "text", ["", "(;)", "(;BO[8 --- *];)", "(;BO[10 " + "-" * 100 + " *];)", f"(;BO[8 {BOARD}]B[Z9];)"]
)
def test_what_is_not_a_game_of_othello_is_refused(text: str) -> None:
    with pytest.raises(NBoardError):
        GameText.read(text)


def test_lines_of_an_engine() -> None:
    assert read_answer("=== F5/0/1") == "F5/0/1"
    assert read_answer("status === no") is None
    assert read_move(" f5//3 ") == "f5"
    assert (read_name("set myname Edax 4.4"), read_name("set contempt 3")) == ("Edax 4.4", "")
    assert answer_line("pass", value=-1, seconds=0.5) == "=== PA/-1.00/0.500"

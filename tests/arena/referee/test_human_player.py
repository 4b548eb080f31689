"""The player of a person, with a scripted person and with a real terminal."""

import itertools
import json
import os
import pty
import re
import select
import time
from collections.abc import Iterable
from typing import Any

import pytest

from agents.seat import Fault, History, Late, Player, Times
from arena.cli.board import board_text, has_colors
from arena.competition.explanation import explain
from arena.referee.human_player import HumanPlayer, Terminal
from arena.referee.referee import Clock, Turn, play
from arena.referee.scripted_player import ScriptedPlayer
from games.base import WHITE, Game, load
from results.record import GameRecord, Seat

GAME = load("microchess")
TIMES = Times(own=60.0, opponent=60.0, opponent_last_move=0.0)


class Ticks:
    """A clock that advances by a second, or another step, whenever it is read."""

    def __init__(self, step: int = 1) -> None:
        self._seconds = itertools.count(step=step)

    def now(self) -> float:
        return float(next(self._seconds))


class Typist(Terminal):
    """Types the given lines and keeps what is shown to it."""

    prompts = 0

    def __init__(self, lines: Iterable[str | BaseException]) -> None:
        self.lines = iter(lines)
        self.shown: list[str] = []

    def write(self, text: str) -> None:
        self.shown.append(text)

    def read(self, prompt: str, deadline: float) -> str:
        self.shown.append(prompt)
        self.prompts += 1
        line = next(self.lines)
        if isinstance(line, BaseException):
            raise line
        return line


def ask(*lines: str | BaseException, position: str | None = None, game: Game = GAME) -> tuple[str, list[str]]:
    typist = Typist(lines)
    player = HumanPlayer(typist, now=Ticks().now)
    state = game.position(position) if position else game.start()
    answer = player.ask(History(state.text, (), state), TIMES)
    assert answer.wall == typist.prompts + 1
    return answer.text, typist.shown


def test_a_typed_move_is_played() -> None:
    assert ask("c1d3")[0] == "c1d3"


def test_capital_letters_are_accepted_and_the_prompt_shows_the_clock() -> None:
    move, shown = ask("nonsense", "C1D3")
    assert move == "c1d3"
    assert [line for line in shown if "left" in line] == ["your move (59 s left): ", "your move (58 s left): "]


def test_wrong_input_is_asked_again() -> None:
    move, shown = ask("nonsense", "d1d5", "c1d3")
    assert move == "c1d3"
    assert [line for line in shown if "legal move" in line] == [
        f"'{typed}' is not a legal move here; `moves` lists the legal ones" for typed in ("nonsense", "d1d5")
    ]


def test_help_moves_and_board_are_shown() -> None:
    _, shown = ask("help", "moves", "board", "c1d3")
    text = "\n".join(shown)
    assert "type a move" in text
    assert "c1d3" in text
    assert str(GAME.start()) in text


def test_a_pawn_becomes_a_queen_unless_another_piece_is_typed() -> None:
    position = "k3/2P1/4/4/3K w - - 0 1"
    assert ask("c4c5", position=position)[0] == "c4c5q"
    assert ask("c4c5n", position=position)[0] == "c4c5n"


@pytest.mark.parametrize(
    ("game", "position", "typed", "move"),
    [
        ("microchess", None, "Nd3", "c1d3"),
        ("microchess", "k3/2P1/4/4/3K w - - 0 1", "c5=Q+", "c4c5q"),
        ("microchess", "k3/2P1/4/4/3K w - - 0 1", "c5=N", "c4c5n"),
        ("microchess", "k3/2P1/4/4/3K w - - 0 1", "c5", "c4c5q"),
        ("chess", None, "Nf3!", "g1f3"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxa8", "a1a8"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rh8+", "h1h8"),
        ("othello", None, "D3", "d3"),
        ("go", None, "d4", "D4"),
    ],
)
def test_moves_are_read_in_algebraic_notation_and_in_coordinates(
    game: str, position: str | None, typed: str, move: str
) -> None:
    assert ask(typed, position=position, game=load(game))[0] == move


def test_help_shows_a_move_in_both_notations_and_every_other_word() -> None:
    _, shown = ask("help", "c1d3")
    (text,) = [line for line in shown if line.startswith("type a move")]
    assert text.splitlines()[0] == "type a move, such as a1a2 or Ra2"
    assert [line.split()[0] for line in text.splitlines()[1:]] == ["moves", "board", "hint", "undo", "resign", "quit"]


def test_without_a_clock_the_prompt_shows_none() -> None:
    typist = Typist(["c1d3"])
    player = HumanPlayer(typist, is_timed=False)
    state = GAME.start()
    assert player.ask(History(state.text, (), state), TIMES).text == "c1d3"
    assert typist.shown == ["your move: "]
    assert player.help_taken() == {"no-clock": "played without a clock"}


def test_nothing_can_be_taken_back_before_the_first_move() -> None:
    assert "you have made no move yet" in ask("undo", "c1d3")[1]


@pytest.mark.parametrize(
    ("fault", "shown", "noted"),
    [
        (None, "hint: c1d3 or Nd3", {"hint": "asked for 1 hint"}),
        (Fault("time", "too slow"), "no hint: time: too slow", {}),
    ],
)
def test_a_hint_is_shown_and_noted_and_its_player_is_closed(
    fault: Fault | None, shown: str, noted: dict[str, str]
) -> None:
    typist, adviser = Typist(["hint", "c1d3"]), ScriptedPlayer([fault or "c1d3"])
    player = HumanPlayer(typist, adviser=lambda _: adviser)
    state = GAME.start()
    player.open(GAME, WHITE, start=state.text, seed=1)
    player.ask(History(state.text, (), state), TIMES)
    assert shown in typist.shown
    assert (player.help_taken(), adviser.closed) == (noted, 1)


def played(
    job: Any, lines: list[str], answers: list[str], *, step: int = 1, **changes: Any
) -> tuple[GameRecord, list[Turn], ScriptedPlayer]:
    """A game of a person (first) against a script, on a clock that advances by a second whenever it is read."""
    now, opponent, seen = Ticks(step).now, ScriptedPlayer(answers), list[Turn]()
    person = HumanPlayer(Typist(lines), now=now, **changes)
    seats: dict[Seat, Player] = {"first": person, "second": opponent}
    record = play(job(), seats, Clock(10.0, now=now), watch=seen.append)
    return record, seen, opponent


def test_who_resigns_loses(job: Any) -> None:
    record, _, _ = played(job, ["c1d3", "resign"], ["a4a3"])
    assert (record.result, record.reason, record.detail) == ("0-1", "resignation", "first resigned")
    assert (record.fault, record.notes, record.turns) == (None, (), 2)
    assert "because the other player gave up" in explain(record).summary


def test_a_move_is_taken_back_with_its_answer_and_the_time_of_both(job: Any) -> None:
    record, seen, _ = played(job, ["c1d3", "undo", "d2d3", "resign"], ["a4a3", "a4a3"])
    assert [move.text for move in record.moves] == ["d2d3", "a4a3"]
    assert [(turn.move, turn.taken_back) for turn in seen] == [
        (None, 0), ("c1d3", 0), ("a4a3", 0), (None, 2), ("d2d3", 0), ("a4a3", 0),
    ]  # fmt: skip
    assert seen[3].state.text == seen[0].state.text
    assert seen[3].times == seen[0].times
    (note,) = record.notes
    assert (note.player, note.rule, note.detail, note.is_help) == ("first", "undo", "took back 1 move", True)
    assert "Noted, without a penalty: one took back 1 move." in explain(record).text()


def test_a_person_without_a_clock_is_never_late(job: Any) -> None:
    record, seen, _ = played(job, ["c1d3", "resign"], ["a4a3"], step=11, is_timed=False)
    assert record.fault is None
    assert record.moves[0].wall == 11.0
    assert seen[-1].times[WHITE] == 10.0
    assert [note.detail for note in record.notes] == ["played without a clock"]


def test_quit_ends_the_game_without_a_result() -> None:
    with pytest.raises(KeyboardInterrupt):
        ask("quit")


def test_a_person_without_time_loses() -> None:
    with pytest.raises(Fault, match="time"):
        ask(Late("no line in time"))


def test_a_person_is_shown_which_side_to_play() -> None:
    typist = Typist([])
    HumanPlayer(typist).open(GAME, WHITE, start=GAME.start().text, seed=1)
    assert typist.shown[0].startswith("You play first in microchess.")


class Screen:
    """A real terminal that runs `arena`."""

    def __init__(self, arena: Any, *words: str) -> None:
        self._master, slave = pty.openpty()
        self.process = arena.start(*words, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.text = ""

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def wait_for(self, pattern: str, *, seconds: float = 600.0) -> str:
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            ready, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{pattern!r} did not come; on the screen: {self.text}"
            self.text += os.read(self._master, 65536).decode()
        self.text = self.text[found.end() :]
        return found.group()


def test_a_person_plays_a_whole_game_in_a_terminal(arena: Any) -> None:
    screen = Screen(arena, "play", "human", "first_move", "--turns", "3")
    screen.wait_for("You play first")
    screen.wait_for("a  b  c  d")
    screen.wait_for("your move")
    screen.type("z9")
    screen.wait_for("is not a legal move")
    screen.type("c1d3")
    screen.wait_for("turn 1: human plays c1d3")
    screen.wait_for("turn 2: first_move plays")
    screen.wait_for("your move")
    screen.type("d3c1")
    screen.wait_for(r"result +1/2-1/2")
    assert screen.process.wait(timeout=600) == 0


def test_a_person_may_quit_and_nothing_is_stored(arena: Any) -> None:
    screen = Screen(arena, "play", "human", "first_move")
    screen.wait_for("your move")
    screen.type("quit")
    screen.wait_for("0 of 1 game is stored")
    assert screen.process.wait(timeout=600) == 130


def test_the_end_of_the_input_ends_the_command(arena: Any) -> None:
    ran = arena("play", "human", "random", typed="")
    assert ran.code == 130


def test_a_person_who_thinks_too_long_loses(arena: Any) -> None:
    screen = Screen(arena, "play", "human", "first_move", "--time", "0.2")
    screen.wait_for("human faulted: time")
    assert screen.process.wait(timeout=600) == 0


def test_a_person_asks_for_a_hint_and_takes_a_move_back_in_a_terminal(arena: Any) -> None:
    screen = Screen(arena, "play", "human", "first_move", "--turns", "4")
    screen.wait_for("\x1b\\[48;5;180m")  # a board with colours
    screen.wait_for("your move: ")
    screen.type("hint")
    screen.wait_for("hint: [a-d][1-5][a-d][1-5] or ")
    screen.type("Nd3")
    screen.wait_for("turn 2: first_move plays")
    screen.type("undo")
    screen.wait_for("2 moves taken back")
    screen.type("d2d3")
    screen.wait_for("turn 1: human plays d2d3")
    screen.wait_for("turn 2: first_move plays")
    screen.type("resign")
    screen.wait_for(r"result +0-1")
    screen.wait_for(r"reason +resignation \(first resigned\)")
    for noted in ("asked for 1 hint", "took back 1 move", "played without a clock"):
        screen.wait_for(rf"noted: human \(first\) {noted}")
    assert screen.process.wait(timeout=600) == 0
    game = json.loads(arena("show", "last", "--format", "json").out)
    assert [note["rule"] for note in game["notes"]] == ["hint", "undo", "no-clock"]


def test_a_pipe_has_no_colours(arena: Any) -> None:
    ran = arena("play", "human", "first_move", typed="board\nresign\n")
    assert ran.code == 0
    assert "\x1b" not in ran.out + ran.err
    assert ran.err.count(str(GAME.start())) == ran.out.count(str(GAME.start())) == 1


@pytest.mark.parametrize("game", ["chess", "go", "gomoku:size=12", "microchess", "mushroom", "othello"])
def test_every_bundled_game_gives_hints_and_has_a_board_with_colours(arena: Any, game: str) -> None:
    ran = arena("play", "human", "first_move", "--game", game, typed="hint\nresign\n")
    assert ran.code == 0
    assert "hint: " in ran.err
    state = load(game).start()
    bare = re.sub(r"\x1b\[[0-9;]*m", "", board_text(state, colored=True)).splitlines()
    view = state.view()  # type: ignore[attr-defined]
    assert len(bare) == view.rows + 1
    assert {len(line) for line in bare[:-1]} == {max(map(len, view.labels.rows)) + 1 + 3 * view.columns}


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    master, slave = pty.openpty()
    with os.fdopen(master), os.fdopen(slave, "w") as stream:
        assert has_colors(stream)
        monkeypatch.setenv("TERM", "dumb")
        assert not has_colors(stream)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("NO_COLOR", "1")
        assert not has_colors(stream)
    assert not has_colors(None)

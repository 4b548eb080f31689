"""The player of a person, with a scripted person and with a real terminal."""

import itertools
import os
import pty
import re
import select
import time
from collections.abc import Iterable
from typing import Any

import pytest

from agents.seat import Fault, History, Late, Times
from arena.referee.human_player import HumanPlayer, Terminal
from games.base import WHITE, load

GAME = load("microchess")
TIMES = Times(own=60.0, opponent=60.0, opponent_last_move=0.0)


class Ticks:
    """A clock that advances by a second whenever it is read."""

    def __init__(self) -> None:
        self._seconds = itertools.count()

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


def ask(*lines: str | BaseException, position: str | None = None) -> tuple[str, list[str]]:
    typist = Typist(lines)
    player = HumanPlayer(typist, now=Ticks().now)
    state = GAME.position(position) if position else GAME.start()
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
    screen.wait_for("a b c d")
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
    screen.wait_for("0 of 1 games are stored")
    assert screen.process.wait(timeout=600) == 130


def test_the_end_of_the_input_ends_the_command(arena: Any) -> None:
    ran = arena("play", "human", "random", typed="")
    assert ran.code == 130


def test_a_person_who_thinks_too_long_loses(arena: Any) -> None:
    screen = Screen(arena, "play", "human", "first_move", "--time", "0.2")
    screen.wait_for("human faulted: time")
    assert screen.process.wait(timeout=600) == 0

"""A check that a game keeps the contract of `games.base`, by playing random games."""

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import TracebackType
from typing import Final

from games.base import BLACK, WHITE, Ending, Game, Move, State
from games.errors import ArenaError, BadPosition, IllegalMove
from games.view import View, Viewable

__all__ = ["ContractBroken", "check"]

_FOREIGN: Final[tuple[object, ...]] = (None, 0, "", "zzzz", object(), [])
_NOT_MOVES: Final = ("", " ", "zzzz", "0000", "\x00", "é", "a1" * 500)
_NOT_POSITIONS: Final = ("", " ", "nonsense", "w", "-1", "\x00", "8/" * 500)
#: A random game without a turn limit is stopped after this many turns.
_LONGEST: Final = 400
#: Every state is checked; one in this many is checked closely.
_CLOSELY: Final = 8


class ContractBroken(ArenaError):
    """A game breaks the contract of `games.base`; the message says which rule, and in which position."""


def check(game: Game, *, games: int = 10, seed: int = 0) -> None:
    """Play `games` random games and check every state; raises `ContractBroken`."""
    _check_game(game)
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        state = game.start(number)
        _check_start(game, state, again=game.start(number))
        _play(game, state, rng)
        _play(game, _second_to_move(game, state, rng), rng)


@dataclass(frozen=True, slots=True)
class _Look:
    """Everything visible of a state, to see whether it changed."""

    text: str
    drawing: str
    turn: bool
    turns: int
    moves: tuple[str, ...]
    ending: Ending | None


def _look(state: State) -> _Look:
    moves = tuple(str(move) for move in state.legal_moves)
    return _Look(state.text, str(state), state.turn, state.turns, moves, state.ending)


def _require(kept: bool, promise: str, state: State | None = None) -> None:
    if not kept:
        raise ContractBroken(promise if state is None else f"{promise} (in {state.text!r})")


class _Refused:
    """The block must raise this error; it must not succeed or raise another error."""

    def __init__(self, error: type[ArenaError], what: str) -> None:
        self._error = error
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        _require(kind is not None, f"{self._what} raises {self._error.__name__}, but it was accepted")
        if isinstance(error, Exception) and not isinstance(error, self._error):
            raise ContractBroken(f"{self._what} raises {self._error.__name__}, not {error!r}") from error
        return isinstance(error, self._error)


def _check_game(game: Game) -> None:
    _require(isinstance(game.name, str) and bool(game.name), "a game has a name")
    _require(isinstance(game.version, int) and game.version >= 1, "a game's version is a number from 1 on")
    _require(game.first in (WHITE, BLACK), "a game says which colour moves first")
    _require(game.seconds > 0, "a game's time budget is above zero")
    for key, value in game.parameters.items():
        _require(isinstance(key, str) and isinstance(value, int | float | str), "parameters are numbers and texts")
    for text in _NOT_POSITIONS:
        with _Refused(BadPosition, f"position({text[:20]!r})"):
            game.position(text)


def _check_start(game: Game, state: State, *, again: State) -> None:
    _require(state.turn == game.first, "`first` moves in the start position", state)
    _require(state.turns == 0, "no turns are made in the start position", state)
    _require(state.ending is None, "a game is not over at the start", state)
    _require(_look(state) == _look(again), "the same seed gives the same start", state)


def _second_to_move(game: Game, start: State, rng: random.Random) -> State:
    """A position read from text in which the second player is to move."""
    after = start.forward(_chosen(start, rng))
    state = game.position(after.text)
    _require(state.turn != game.first, "a position text keeps whose move it is", after)
    return state


def _play(game: Game, state: State, rng: random.Random) -> None:
    """Check all states of one random game, some of them closely."""
    for number in range(_LONGEST):
        if state.ending is not None:
            break
        if number % _CLOSELY == 0:
            _check_closely(game, state)
        state = _check_turn(state, _chosen(state, rng))
    _check_closely(game, state)
    if state.ending is not None:
        _check_over(game, state)


def _chosen(state: State, rng: random.Random) -> Move:
    moves = list(state.legal_moves)
    _require(bool(moves), "there is a legal move until the game is over", state)
    return rng.choice(moves)


def _check_turn(state: State, move: Move) -> State:
    before = _look(state)
    after = state.forward(move)
    _require(_look(state) == before, f"forward({move}) leaves the state as it was", state)
    _require(after.turns == state.turns + 1, "every move adds one to `turns`", state)
    _require(after.turn != state.turn, "the players move in turn", state)
    return after


def _check_closely(game: Game, state: State) -> None:
    _check_moves(state)
    _check_move_texts(state)
    _check_foreign(state)
    _check_text(game, state)
    _check_copy(state)
    _check_verdict(state)
    _check_pictures(state)


def _check_moves(state: State) -> None:
    moves = state.legal_moves
    listed = list(moves)
    _require(len(moves) == len(listed), "legal_moves has as many moves as its length says", state)
    _require([moves[index] for index in range(len(moves))] == listed, "legal_moves[index] follows its order", state)
    _require(list(state.legal_moves) == listed, "legal_moves gives the same moves each time", state)
    _require(all(move in moves for move in listed), "each of legal_moves is `in` it", state)
    _require(len(set(listed)) == len(listed), "no move is listed twice", state)
    _require(bool(listed) == (state.ending is None), "there are legal moves exactly until the game is over", state)


def _check_move_texts(state: State) -> None:
    for move in state.legal_moves:
        read = state.parse(str(move))
        _require(read == move and str(read) == str(move), f"parse reads the text of the move {move}", state)


def _check_foreign(state: State) -> None:
    for thing in _foreign_objects(state):
        _require(thing not in state.legal_moves, f"{thing!r} is not in legal_moves", state)
        with _Refused(IllegalMove, f"forward({thing!r})"):
            state.forward(thing)
    for text in _NOT_MOVES:
        if text not in {str(move) for move in state.legal_moves}:
            with _Refused(IllegalMove, f"parse({text[:20]!r})"):
                state.parse(text)


def _foreign_objects(state: State) -> Iterator[object]:
    """Objects that are not legal moves here; in some games one of `_FOREIGN` may be legal."""
    listed = list(state.legal_moves)
    return (thing for thing in _FOREIGN if thing not in listed)


def _check_text(game: Game, state: State) -> None:
    _require(bool(state.text) and "\n" not in state.text, "a position text is one line", state)
    again = game.position(state.text)
    _require(again.text == state.text, "position(text) gives a state with this text", state)
    _require(again.turn == state.turn, "position(text) keeps whose move it is", state)
    # History can only remove legal moves: a limit is reached, a position is repeated.
    missing = {str(move) for move in state.legal_moves} - {str(move) for move in again.legal_moves}
    _require(not missing, "position(text) allows the moves of the state", state)


def _check_copy(state: State) -> None:
    before = _look(state)
    copied = copy.copy(state)
    _require(_look(copied) == before, "a copy looks like its original", state)
    for move in list(state.legal_moves)[:1]:
        _require(_look(copied.forward(move)) == _look(state.forward(move)), "a copy plays like its original", state)
    _require(_look(copied) == before == _look(state), "copy and original do not change each other", state)


def _check_verdict(state: State) -> None:
    before = _look(state)
    ending, verdict = state.ending, state.adjudicate()
    _require(state.is_game_over() == (ending is not None), "is_game_over() says whether there is an ending", state)
    _require(isinstance(verdict, Ending), "adjudicate() gives an ending", state)
    _require(ending is None or verdict == ending, "adjudicate() agrees with the ending", state)
    _require(bool(verdict.reason), "an ending names its reason", state)
    points = verdict.points(WHITE), verdict.points(BLACK)
    _require(sum(points) == 1 and set(points) <= {0, 0.5, 1}, "an ending shares one point", state)
    _require(_look(state) == before, "adjudicate() leaves the state as it was", state)


def _check_pictures(state: State) -> None:
    _require(bool(str(state)), "str() draws the board", state)
    if isinstance(state, Viewable):
        _check_view(state, state.view())
        _check_paths(state, state)
    for last in [None, *list(state.legal_moves)[:1]]:
        _require(state.svg(last).startswith("<svg"), "svg() starts with <svg", state)


def _check_view(state: State, view: View) -> None:
    names = {cell.name for cell in view.cells}
    _require(len(view.cells) == view.columns * view.rows > 0, "a view has one cell for each column and row", state)
    _require(len(names) == len(view.cells) and all(names), "the cells of a view have different names", state)
    _require(len(view.labels.columns) == view.columns, "a view has a label for each column", state)
    _require(len(view.labels.rows) == view.rows, "a view has a label for each row", state)


def _check_paths(state: State, clicked: Viewable) -> None:
    """The clicks of all legal moves differ, and none is complete while another one goes on."""
    paths = sorted(clicked.path(move) for move in state.legal_moves)
    for path in paths:
        _require(bool(path) and all(isinstance(name, str) and name for name in path), "a path has clicks", state)
    for path, after in pairwise(paths):
        _require(after[: len(path)] != path, f"the path {path} is not the beginning of another one", state)


def _check_over(game: Game, state: State) -> None:
    """After the end no move of the start position is legal."""
    for move in game.start().legal_moves:
        with _Refused(IllegalMove, f"forward({move}) after the end"):
            state.forward(move)
        with _Refused(IllegalMove, f"parse({str(move)!r}) after the end"):
            state.parse(str(move))

"""Openings: random moves, start positions and books, so that not all games begin alike."""

import functools
import importlib
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from arena.errors import BadSettings
from games.base import Game, State
from games.errors import ArenaError, BadPosition
from results.text import counted

__all__ = ["MOST_OPENINGS", "Opening", "OpeningOrder", "checked", "nth", "open_position", "read", "seeded"]

OpeningOrder: TypeAlias = Literal["sequential", "random"]

#: They are stored with the league.
MOST_OPENINGS: Final = 20_000
_TRIES = 1000
#: The notation of a file of games, by the end of its name; all other files of games are transcripts.
_NOTATIONS: Final[Mapping[str, str]] = {".pgn": "pgn", ".sgf": "sgf"}
_TRANSCRIPT: Final = re.compile(r'(?:[a-h][1-8]|--)(?:\s*(?:[a-h][1-8]|--))*|\[[A-Za-z]\w* ".*"\]', re.IGNORECASE)
#: The games whose positions can be lines of EPD: four fields and operations.
_WITH_EPD: Final = ("chess", "microchess")
_EPD_FIELDS: Final = 4
_OPERATION: Final = re.compile(r"\b(hmvc|fmvn) ([0-9]{1,4});")


class Opening(NamedTuple):
    """How a game begins: the start position, empty for the game's own, and the moves from there."""

    start: str
    moves: tuple[str, ...] = ()


def seeded(start: State, *, turns: int, seed: int) -> tuple[str, ...]:
    """Random moves after which the game is not over; the same seed gives the same moves."""
    rng = random.Random(seed)
    for _ in range(_TRIES):
        state = start
        moves: list[str] = []
        while len(moves) < turns and not state.is_game_over():
            move = rng.choice(list(state.legal_moves))
            moves.append(str(move))
            state = state.forward(move)
        if not state.is_game_over():
            return tuple(moves)
    raise BadSettings(f"after {turns} opening turns the game is always over; use fewer")


def read(path: Path, game: Game) -> tuple[Opening, ...]:
    """The openings in a file: games as PGN, SGF or Othello transcripts, or positions, one a line (EPD or our text).

    Of a game all moves are played. In files of positions, blank lines and lines that start with # are ignored.
    """
    text = _text(path)
    kind = path.suffix.lower()
    try:
        found = tuple(_games(text, game, kind=kind) if _has_games(text, game, kind=kind) else _lines(text, game))
    except ArenaError as error:
        raise BadSettings(f"the openings file {path}: {error}") from error
    if not found:
        raise BadSettings(f"the openings file {path} has no openings")
    if len(found) > MOST_OPENINGS:
        raise BadSettings(f"the openings file {path} has {len(found)} openings; {MOST_OPENINGS} are allowed, cut it")
    return found


def _text(path: Path) -> str:
    """The text of a file, in UTF-8 or, as in older collections of games, in Latin-1."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadSettings(f"cannot read the openings file {path}: {error.strerror}") from error
    if b"\0" in data:
        raise BadSettings(f"cannot read the openings file {path}: it is not a text file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def checked(opening: Opening, game: Game) -> Opening:
    """The opening in canonical texts; raises `BadPosition` or `IllegalMove` if it cannot be played."""
    state = open_position(game, opening.start) if opening.start else game.start()
    start, moves = state.text if opening.start else "", []
    for text in opening.moves:
        move = state.parse(text)
        state = state.forward(move)
        moves.append(str(move))
    if state.ending is not None:
        raise BadPosition(f"the game is over after its {counted(len(moves), 'move')}: {state.ending.reason}; cut it")
    return Opening(start, tuple(moves))


def nth(openings: Sequence[Opening], number: int, *, order: OpeningOrder, seed: Callable[[int], int]) -> Opening:
    """The opening of this number (from 0); after the last one they begin again. `seed` is for each run through them."""
    run, at = divmod(number, len(openings))
    return openings[_shuffled(len(openings), seed(run))[at] if order == "random" else at]


@functools.cache
def _shuffled(count: int, seed: int) -> Sequence[int]:
    return random.Random(seed).sample(range(count), count)


def _has_games(text: str, game: Game, *, kind: str) -> bool:
    """Whether a file has games: by its name, and for Othello by its first line, since transcripts have many names."""
    if kind in _NOTATIONS:
        return True
    first = next((line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")), "")
    return game.name == "othello" and _TRANSCRIPT.fullmatch(first) is not None


def _games(text: str, game: Game, *, kind: str) -> Iterator[Opening]:
    # Here and not at the top: python-chess' reader loads much that settings do not need.
    notation = importlib.import_module(f"results.notation.{_NOTATIONS.get(kind, 'transcript')}")
    for number, found in enumerate(notation.read(text), 1):
        if found.game.name != game.name or found.game.parameters.get("size") != game.parameters.get("size"):
            size = f" of size {found.game.parameters['size']}" if "size" in found.game.parameters else ""
            raise BadPosition(f"game {number} is {found.game.name}{size}, not {_title(game)}")
        try:
            yield checked(Opening("" if found.start == game.start().text else found.start, found.moves), game)
        except ArenaError as error:
            raise BadPosition(f"game {number}: {error}") from error


def _title(game: Game) -> str:
    return f"{game.name} of size {game.parameters['size']}" if "size" in game.parameters else game.name


def _lines(text: str, game: Game) -> Iterator[Opening]:
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line and not line.startswith("#"):
            try:
                yield Opening(open_position(game, _with_counters(line) if game.name in _WITH_EPD else line).text)
            except BadPosition as error:
                raise BadPosition(f"line {number}: {error}") from error


def _with_counters(line: str) -> str:
    """The FEN of a line of EPD, whose fields may be followed by operations instead of the two counters."""
    fields = line.split()
    if len(fields) < _EPD_FIELDS or (len(fields) > _EPD_FIELDS and fields[_EPD_FIELDS].isdecimal()):
        return line.partition(";")[0]
    operations = dict(_OPERATION.findall(" ".join(fields[_EPD_FIELDS:])))
    return " ".join([*fields[:_EPD_FIELDS], operations.get("hmvc", "0"), operations.get("fmvn", "1")])


def open_position(game: Game, text: str) -> State:
    """The state of this position, in which the game must not be over."""
    state = game.position(text)
    if state.ending is not None:
        raise BadPosition(f"the game is over in {text!r}: {state.ending.reason}")
    return state

"""The contract between the rules of a game and everything that uses them."""

import difflib
import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, Self, TypeAlias, cast, runtime_checkable

from games import outside
from games.errors import BadParameters, UnknownGame

__all__ = [
    "BLACK", "WHITE", "Clocked", "Color", "Ending", "Game", "Margin", "Move", "Moves", "Parameters", "State",
    "join_parameters", "load", "load_stored", "names", "split_parameters", "upgraded",
]  # fmt: skip

Color: TypeAlias = bool
WHITE: Final = True
BLACK: Final = False
Move: TypeAlias = Hashable
Parameters: TypeAlias = Mapping[str, int | float | str]

#: Modules of this package that are not games.
_NOT_GAMES: Final = frozenset({"outside", "base", "contract", "encoding", "errors", "view"})

#: By game and version: the parameters that the next version added, with the values that make it the same game. Data and
#: not code of the games, since results files are read without importing the games that they name.
_ADDED: Final[Mapping[tuple[str, int], Parameters]] = {("go", 1): {"suicide": "yes"}}


@dataclass(frozen=True, slots=True)
class Margin:
    """What was counted to decide a game: the counts of first and second, and the unit of both.

    >>> print(Margin(45, 43.5, "points"))
    points 45-43.5
    """

    first: float
    second: float
    unit: str

    def __str__(self) -> str:
        return f"{self.unit} {self.first:g}-{self.second:g}"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: the winner (None for a draw), the rule that ended it, and what was counted, if anything."""

    winner: Color | None
    reason: str
    margin: Margin | None = None

    @classmethod
    def by_count(cls, reason: str, margin: Margin, *, first: Color) -> Self:
        """The ending in which the larger count wins; `first` is the colour of the first count.

        >>> Ending.by_count("passes", Margin(3, 5, "cells"), first=WHITE).winner == BLACK
        True
        """
        winner = None if margin.first == margin.second else first if margin.first > margin.second else not first
        return cls(winner, reason, margin)

    @property
    def detail(self) -> str:
        """The margin as text; empty if nothing was counted."""
        return "" if self.margin is None else str(self.margin)

    def points(self, color: Color) -> float:
        """1 for a win of `color`, 0 for a loss, 0.5 for a draw."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == color else 0.0


class Moves(Protocol):
    """The legal moves of a state, in an order that is part of the rules."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __getitem__(self, index: int, /) -> Move: ...
    def __contains__(self, move: object) -> bool: ...


class State(Protocol):
    """A position that knows its history. A state never changes: `forward` makes a new one."""

    @property
    def turn(self) -> Color:
        """Whose move it is."""
        ...

    @property
    def turns(self) -> int:
        """Moves made since the game's start, opening included."""
        ...

    @property
    def legal_moves(self) -> Moves:
        """All legal moves; empty when the game is over."""
        ...

    @property
    def ending(self) -> Ending | None:
        """The competition's verdict, turn limit included; None while the game goes on."""
        ...

    @property
    def text(self) -> str:
        """The position in one line; `Game.position` reads it. History is not in it."""
        ...

    def is_game_over(self) -> bool:
        """Whether there is an ending."""
        ...

    def forward(self, move: Move) -> Self:
        """The state after a legal move; `IllegalMove` for anything else."""
        ...

    def parse(self, text: str) -> Move:
        """The legal move with this text; `IllegalMove` if there is none."""
        ...

    def adjudicate(self) -> Ending:
        """The verdict if the game must stop now; `ending` if there is one."""
        ...

    def __copy__(self) -> Self: ...

    def __str__(self) -> str: ...

    def svg(self, last: Move | None = None) -> str:
        """The board as an SVG picture, with the last move marked."""
        ...


@runtime_checkable
class Clocked(Protocol):
    """A state that also holds the remaining seconds of both sides."""

    white_remain_sec: float
    black_remain_sec: float


class Game(Protocol):
    """The rules of a game, with fixed parameters."""

    @property
    def name(self) -> str:
        """The bare name, without parameters."""
        ...

    @property
    def version(self) -> int:
        """A number that is raised when a rule changes."""
        ...

    @property
    def first(self) -> Color:
        """The colour that moves first in the start position of the game."""
        ...

    @property
    def seconds(self) -> float:
        """The default time budget per player and game."""
        ...

    @property
    def parameters(self) -> Parameters:
        """All parameters, defaults included."""
        ...

    def start(self, seed: int = 0) -> State:
        """The start position; the seed matters only if it is random."""
        ...

    def position(self, text: str) -> State:
        """The position described by `text`; raises `BadPosition` with the reason."""
        ...


def names() -> list[str]:
    """The names of the bundled games."""
    return list(_bundled())


@functools.cache
def _bundled() -> tuple[str, ...]:
    import games

    found = (module.name for module in pkgutil.iter_modules(games.__path__))
    return tuple(sorted(name for name in found if not name.startswith("_") and name not in _NOT_GAMES))


#: The modules outside this package that the user has named.
_GIVEN: Final[set[str]] = set()


def load_stored(text: str) -> Game:
    """The game that a file or a record names: a bundled one, or one that `load` was given before.

    A file may come from anybody, so it cannot name code to import. Raises `UnknownGame`.
    """
    name, _ = split_parameters(text)
    if name not in names() and name not in _GIVEN and outside.find(name) is None:
        bare = name.partition("@")[0]
        raise UnknownGame(
            f"the game {name!r} is not part of arena, and a file cannot name code to run; "
            f"if you trust the game, give it again: --game {name if name == bare else outside.given_as(bare)}"
        )
    return load(text)


@functools.lru_cache(maxsize=1024)  # of texts: visitors of a site may choose the parameters
def load(text: str, *, place: Path | None = None) -> Game:
    """The game written `name:key=value,…`; the name is a bundled game, a dotted path, or a copy: see `games.outside`.

    The module is imported: the text must come from the user. For other texts there is `load_stored`. Copies are
    searched in `place`, by default in the folder of the user.
    """
    name, parameters = split_parameters(text)
    bundled = name in names()
    if not bundled and "." not in name and not outside.is_name(name):
        near = difflib.get_close_matches(name, names(), n=1, cutoff=0.75)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names())}; write a file as ./{name}.py"
        raise UnknownGame(f"no game called {name!r}; {hint}")
    try:
        if outside.is_name(name):
            module = outside.load_module(name, place=place)
        else:
            module = importlib.import_module(f"games.{name}" if bundled else name)
        factory = module.game
    except UnknownGame:
        raise
    except Exception as error:  # the module of somebody may raise anything
        reason = "it defines no `game`" if isinstance(error, AttributeError) else f"{type(error).__name__}: {error}"
        raise UnknownGame(f"no game at {name.partition('@')[0]!r}: {reason}") from error
    _GIVEN.add(name)
    return _made(name, factory, parameters)


def _made(name: str, factory: Callable[..., object], parameters: Parameters) -> Game:
    bare = name.partition("@")[0]
    known = inspect.signature(factory).parameters
    if unknown := min(parameters.keys() - known.keys(), default=""):
        near = difflib.get_close_matches(unknown, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known) or 'none'}"
        raise UnknownGame(f"{bare} has no parameter {unknown!r}; {hint}")
    try:
        made = cast(Game, factory(**parameters))
        if made.name == name:
            return made
        return cast(Game, outside.Outside(made, name, join_parameters(name, made.parameters)))
    except Exception as error:
        if name in names() and not isinstance(error, TypeError | ValueError):
            raise
        raise UnknownGame(f"{bare}: {error}") from error


def upgraded(name: str, parameters: Parameters, version: int) -> tuple[Parameters, int]:
    """The same rules as a later version of the game writes them, and that version; unchanged if there is none.

    >>> upgraded("go", {"size": 9}, 1)
    ({'size': 9, 'suicide': 'yes'}, 2)
    """
    while (added := _ADDED.get((name, version))) is not None:
        missing = {key: value for key, value in added.items() if key not in parameters}
        parameters, version = {**parameters, **missing}, version + 1
    return parameters, version


_PAIR: Final = re.compile(r"""\s*([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|([^",:\s]+))\s*(?:,|$)""")


def split_parameters(text: str) -> tuple[str, dict[str, int | float | str]]:
    """Split `name:key=value,key="other value"`; the name may contain colons before the first key.

    >>> split_parameters('go:size=9,komi=7.5')
    ('go', {'size': 9, 'komi': 7.5})
    """
    start = re.search(r":\s*[A-Za-z_]\w*\s*=", text)
    if start is None:
        return text.strip(), {}
    name, rest = text[: start.start()].strip(), text[start.start() + 1 :]
    parameters: dict[str, int | float | str] = {}
    at = 0
    while at < len(rest):
        pair = _PAIR.match(rest, at)
        if pair is None:
            raise BadParameters(f"cannot read {rest[at:]!r} in {text!r}; write name:key=value,key=value")
        key, quoted, plain = pair.groups()
        if key in parameters:
            raise BadParameters(f"{key} is given twice in {text!r}")
        parameters[key] = quoted if plain is None else _value(plain)
        at = pair.end()
    return name, parameters


def _value(text: str) -> int | float | str:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text


def join_parameters(name: str, parameters: Parameters) -> str:
    """The text that `split_parameters` reads.

    >>> join_parameters('go', {'size': 9, 'komi': 7.5})
    'go:size=9,komi=7.5'
    """
    pairs = ",".join(f"{key}={_quoted(value)}" for key, value in parameters.items())
    return f"{name}:{pairs}" if pairs else name


def _quoted(value: int | float | str) -> str:
    text = str(value)
    return text if text and _value(text) == value and not re.search(r'[",:\s]', text) else f'"{text}"'

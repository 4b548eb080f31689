"""Stockfish as an entrant: which binary plays which game, and with what settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

from agents.external.dialect import Dialect, Starts
from agents.seat import Channel, History, Times
from games.base import Color, Game, Parameters
from games.errors import BadParameters
from stockfish_bridge.binary import FAIRY_STOCKFISH, STOCKFISH, Binary
from stockfish_bridge.limit import LIMITS, Limit, read_limit
from stockfish_bridge.standard import Standard
from stockfish_bridge.uci import Uci

__all__ = ["BACKENDS", "OPTIONS", "VARIANT_FILE", "EnginePlan", "Stockfish", "plan"]

#: The back-ends of microchess: the true rules, and the earlier platform's baseline that sees an 8x8 board.
BACKENDS: Final = ("fairy", "standard")
#: Microchess as Fairy-Stockfish learns it.
VARIANT_FILE: Final = Path(__file__).with_name("microchess.ini").resolve()

_GAMES: Final = ("chess", "microchess")
#: What may be said of the entrant.
OPTIONS: Final = ("level", *LIMITS, "backend", "path", "hash")
#: Few enough to be quick, and the same move every time.
_LIMIT: Final = Limit("nodes", 10_000)
_LEVEL: Final = 20
_HASH: Final = 16
_MOST_HASH: Final = 65_536


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """What to run for an entrant: the command, files that it must be able to read, all options for the record."""

    command: tuple[str, ...]
    read: tuple[str, ...]
    options: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """An entrant's options with the defaults filled in; `backend` is empty in chess."""

    level: int
    limit: Limit
    hash: int
    backend: str
    path: str

    @property
    def binary(self) -> Binary:
        """The engine that is meant unless a path is given."""
        return FAIRY_STOCKFISH if self.backend == "fairy" else STOCKFISH

    @property
    def options(self) -> dict[str, int | float | str]:
        """The options that mean just this."""
        texts = {"backend": self.backend, "path": self.path}
        written = {key: text for key, text in texts.items() if text}
        return {"level": self.level, **self.limit.option, "hash": self.hash, **written}


def plan(game: Game, options: Parameters, *, environment: Mapping[str, str] | None = None) -> EnginePlan:
    """What plays `game` with these options; `BadParameters` or `EngineMissing` if nothing does."""
    settings = _read(game, options)
    binary = settings.binary.find(settings.path, environment=environment)
    if settings.path:  # the record's reader may stand in another folder
        settings = replace(settings, path=binary)
    read = (str(VARIANT_FILE),) if settings.backend == "fairy" else ()
    return EnginePlan((binary,), read, settings.options)


def _read(game: Game, options: Parameters) -> _Settings:
    if game.name not in _GAMES:
        raise BadParameters(f"stockfish plays {' and '.join(_GAMES)}, not {game.name}")
    unknown = [key for key in options if key not in OPTIONS]
    if unknown:
        raise BadParameters(f"stockfish has no option {unknown[0]!r}; there are {', '.join(OPTIONS)}")
    return _Settings(
        level=_whole(options, "level", default=_LEVEL, least=0, most=_LEVEL),
        limit=read_limit(options, _LIMIT),
        hash=_whole(options, "hash", default=_HASH, least=1, most=_MOST_HASH),
        backend=_backend(game, options),
        path=str(options.get("path", "")),
    )


def _backend(game: Game, options: Parameters) -> str:
    if game.name == "chess":
        if "backend" in options:
            raise BadParameters("backend is an option for microchess; chess has but one")
        return ""
    backend = options.get("backend", BACKENDS[0])
    if backend not in BACKENDS:
        raise BadParameters(f"backend is {' or '.join(BACKENDS)}, not {backend!r}")
    return str(backend)


def _whole(options: Parameters, key: str, *, default: int, least: int, most: int) -> int:
    value = options.get(key, default)
    if not isinstance(value, int) or not least <= value <= most:
        raise BadParameters(f"{key} is a whole number from {least} to {most}, not {value!r}")
    return value


class Stockfish:
    """Stockfish, or another engine that is given its place: chess, and microchess with either back-end."""

    games: ClassVar[tuple[str, ...]] = _GAMES
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters) -> None:
        self._dialect = _dialect(game, _read(game, options))

    @property
    def name(self) -> str:
        """The `id name` of the engine."""
        return self._dialect.name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Learn its name and options, and set those of the entrant."""
        self._dialect.greet(channel, deadline)

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:
        """Tell it that a new game begins."""
        self._dialect.begin(channel, color, start=start, seed=seed, deadline=deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Its move."""
        return self._dialect.ask(channel, history, times, deadline)

    def end(self, channel: Channel) -> None:
        """Say goodbye."""
        self._dialect.end(channel)


def _dialect(game: Game, settings: _Settings) -> Dialect:
    options = settings.limit.option
    wishes: dict[str, int | float | str] = {}
    for name, value, default in (("Skill_Level", settings.level, _LEVEL), ("Hash", settings.hash, _HASH)):
        # An engine at `path` need not know what was not asked for.
        (wishes if value == default else options)[name] = value
    if settings.backend == "fairy":
        options |= {"VariantPath": str(VARIANT_FILE), "UCI_Variant": "arenamicro"}
    if settings.backend == "standard":
        return Standard(game, options, wishes=wishes)
    return Uci(game, options, wishes=wishes)

"""Stockfish as an entrant: its options, and the binary for each game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agents.seat import Channel, History, Times
from games.base import Game, Parameters, load
from games.errors import BadParameters
from stockfish_bridge.binary import FAIRY_STOCKFISH, STOCKFISH, Binary
from stockfish_bridge.limit import LIMITS, Limit, read_limit
from stockfish_bridge.standard import StandardSearch
from stockfish_bridge.uci import Uci
from stockfish_bridge.uci_syntax import MICROCHESS_VARIANTS, VARIANT_OPTION

__all__ = ["BACKENDS", "OPTIONS", "VARIANT_FILE", "EnginePlan", "Stockfish", "plan"]

#: The back-ends for microchess: the true rules, and the baseline of the earlier platform, which sees an 8x8 board.
BACKENDS: Final = ("fairy", "standard")
#: The definition of microchess for Fairy-Stockfish.
VARIANT_FILE: Final = Path(__file__).with_name("microchess.ini").resolve()

_GAMES: Final = ("chess", "microchess")
#: The options of the entrant.
OPTIONS: Final = ("level", *LIMITS, "backend", "path", "hash")
#: A small number of nodes: fast, and the same move every time.
_LIMIT: Final = Limit("nodes", 10_000)
_LEVEL: Final = 20
_HASH: Final = 16
_MOST_HASH: Final = 65_536


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """What to run for an entrant: the command, the files that it must be able to read, all options for the record."""

    command: tuple[str, ...]
    read: tuple[str, ...]
    options: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """An entrant's options with all defaults; `backend` is empty in chess."""

    level: int
    limit: Limit
    hash: int
    backend: str
    path: str

    @property
    def binary(self) -> Binary:
        """The engine to run if no path is given."""
        return FAIRY_STOCKFISH if self.backend == "fairy" else STOCKFISH

    @property
    def options(self) -> dict[str, int | float | str]:
        """The settings as options of an entrant."""
        texts = {"backend": self.backend, "path": self.path}
        written = {key: text for key, text in texts.items() if text}
        return {"level": self.level, **self.limit.option, "hash": self.hash, **written}


def plan(game: Game, options: Parameters, *, environment: Mapping[str, str] | None = None) -> EnginePlan:
    """What to run for `game` with these options; `BadParameters` or `EngineMissing` if it cannot be played."""
    settings = _read(game, options)
    binary = settings.binary.find(settings.path, environment=environment)
    if settings.path:  # absolute: the record may be read in another folder
        settings = replace(settings, path=binary)
    read = (str(VARIANT_FILE),) if settings.backend == "fairy" else ()
    return EnginePlan((binary,), read, settings.options)


def _read(game: Game, options: Parameters) -> _Settings:
    if game.name not in _GAMES:
        raise BadParameters(f"stockfish plays {' and '.join(_GAMES)}, not {game.name}")
    unknown = [key for key in options if key not in OPTIONS]
    if unknown:
        raise BadParameters(f"stockfish has no option {unknown[0]!r}; its options are {', '.join(OPTIONS)}")
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
            raise BadParameters("backend is an option of microchess only")
        return ""
    backend = options.get("backend", BACKENDS[0])
    if backend not in BACKENDS:
        raise BadParameters(f"backend must be {' or '.join(BACKENDS)}, not {backend!r}")
    return str(backend)


def _whole(options: Parameters, key: str, *, default: int, least: int, most: int) -> int:
    value = options.get(key, default)
    if not isinstance(value, int) or not least <= value <= most:
        raise BadParameters(f"{key} must be a whole number from {least} to {most}, not {value!r}")
    return value


class Stockfish(Uci):
    """Stockfish, or the engine at `path`: chess, and microchess with either back-end."""

    def __init__(self, game: Game, options: Parameters) -> None:
        settings = _read(game, options)
        is_standard = settings.backend == "standard"
        required, if_offered = _engine_options(settings)
        super().__init__(load("chess") if is_standard else game, required, if_offered=if_offered)
        self._standard = StandardSearch(game, self) if is_standard else None

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Ask for a move, in the way of the back-end."""
        if self._standard is not None:
            return self._standard.move(channel, history, times, deadline)
        return super().ask(channel, history, times, deadline)


def _engine_options(settings: _Settings) -> tuple[Parameters, Parameters]:
    """The options that the engine must have, and those that are set only if it offers them."""
    required = settings.limit.option
    if_offered: dict[str, int | float | str] = {}
    for name, value, default in (("Skill_Level", settings.level, _LEVEL), ("Hash", settings.hash, _HASH)):
        # The engine at `path` may lack an option that the entrant did not set.
        (if_offered if value == default else required)[name] = value
    if settings.backend == "fairy":
        required |= {"VariantPath": str(VARIANT_FILE), VARIANT_OPTION: MICROCHESS_VARIANTS[0]}
    return required, if_offered

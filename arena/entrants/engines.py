"""Engines as entrants: the protocols they speak, and whether an engine fits a game."""

import importlib
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol, cast

from agents.external.protocol import EngineProtocol, Starts
from arena.entrants import entrant as entrants
from arena.entrants.command import find_program, hash_of, stamp_of
from arena.entrants.entrant import Entrant
from arena.errors import BadSettings, UnknownAgent
from games.base import Game, Parameters
from games.errors import BadParameters
from results.record import EntrantRecord

__all__ = ["dialect", "fitted", "found", "playable", "recall"]

#: Where each protocol is spoken; read when it is needed.
_DIALECTS: Final[Mapping[str, str]] = {
    "gomocup": "agents.external.gomocup.Gomocup",
    "gtp": "agents.external.gtp.Gtp",
    "json": "agents.external.json_lines.JsonLines",
    "nypc": "agents.external.nypc.Nypc",
    "stockfish": "stockfish_bridge.stockfish.Stockfish",
    "uci": "stockfish_bridge.uci.Uci",
}


#: Programs of Debian that can be entrants, by the name of what is run.
_PROGRAMS: Final = ("stockfish", "fairy-stockfish", "gnuchess", "toga2", "gnugo", "gtp-rhino")


class _Maker(Protocol):
    """A class of dialects."""

    games: tuple[str, ...]
    starts: Starts

    def __call__(self, game: Game, options: Parameters) -> EngineProtocol: ...


def dialect(entrant: Entrant, game: Game) -> EngineProtocol:
    """A fresh speaker of the entrant's protocol."""
    options = {key: value for key, value in entrant.options.items() if key != "command"}
    return _maker(entrant.protocol)(game, options)


def fitted(entrant: Entrant, game: Game, *, opening_turns: int = 0, has_positions: bool = False) -> Entrant:
    """The entrant as it plays this game; `UnknownAgent` if its engine cannot, `BadSettings` if it cannot start so.

    Which program Stockfish is depends on the game, and is found here.
    """
    if not entrant.protocol:
        return entrant
    maker = _maker(entrant.protocol)
    if maker.games and game.name not in maker.games:
        raise UnknownAgent(f"{entrant.name} plays {' and '.join(maker.games)}, not {game.name}")
    try:
        if entrant.protocol == "stockfish":
            entrant = _stockfish(entrant, game)
        dialect(entrant, game)
    except BadParameters as error:
        raise UnknownAgent(f"{entrant.name}: {error}") from error
    if has_positions and maker.starts != "anywhere":
        raise BadSettings(f"{entrant.name} can only begin at the start of {game.name}: its protocol knows no positions")
    if opening_turns and maker.starts == "start":
        raise BadSettings(f"{entrant.name} cannot be told of opening turns: its protocol knows none")
    return entrant


def recall(stored: EntrantRecord, game: Game, *, home: Path) -> Entrant:
    """An entrant as it was stored, ready for this game; see `entrants.recall`."""
    return fitted(entrants.recall(stored, home=home), game)


def playable(protocol: str) -> tuple[str, ...]:
    """The games that a protocol can speak of; empty for any."""
    return _maker(protocol).games


def found() -> dict[str, str]:
    """Well-known engines and where they are on this machine; empty for those that are not."""
    return {name: shutil.which(name) or shutil.which(name, path="/usr/games") or "" for name in _PROGRAMS}


def _stockfish(entrant: Entrant, game: Game) -> Entrant:
    from stockfish_bridge.stockfish import plan

    planned = plan(game, entrant.options)
    grants = replace(entrant.grants, read=(*entrant.grants.read, *planned.read))
    program = find_program(planned.command[0])
    return replace(
        entrant,
        command=planned.command,
        options=planned.options,
        hash=hash_of(program),
        grants=grants,
        stamp=stamp_of(program),
    )


def _maker(protocol: str) -> _Maker:
    module, _, name = _DIALECTS[protocol].rpartition(".")
    return cast(_Maker, getattr(importlib.import_module(module), name))

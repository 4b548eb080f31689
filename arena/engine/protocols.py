"""The protocols in which agents are served, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from arena.engine.desk import Desk
from arena.engine.gomocup import GomocupServer
from arena.engine.gtp import GtpServer
from arena.engine.nypc import NypcServer
from arena.engine.post import Server
from arena.engine.title import Title
from arena.engine.uci import UciServer
from arena.errors import BadSettings
from games.base import Game, split_parameters

__all__ = ["PROTOCOLS", "game_of", "server_of"]

_Maker: TypeAlias = Callable[[Desk, Game, Title], Server]

_MAKERS: Final[Mapping[str, _Maker]] = MappingProxyType(
    {"uci": UciServer, "gtp": GtpServer, "gomocup": GomocupServer, "nypc": NypcServer}
)
#: Each protocol with the games that it can speak of, the usual one first.
PROTOCOLS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"uci": UciServer.games, "gtp": GtpServer.games, "gomocup": GomocupServer.games, "nypc": NypcServer.games}
)


def game_of(protocol: str, text: str | None) -> str:
    """The game to be served, its usual one if none is named; `BadSettings` if the protocol cannot speak of it."""
    known = PROTOCOLS[protocol]
    if text is None:
        return known[0]
    if split_parameters(text)[0] not in known:
        raise BadSettings(f"{protocol} speaks of {' and '.join(known)}, not of {text}")
    return text


def server_of(protocol: str, desk: Desk, game: Game, title: Title) -> Server:
    """One that speaks this protocol."""
    return _MAKERS[protocol](desk, game, title)

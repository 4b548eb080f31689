"""The protocols of `arena engine`: which games each serves, and how an agent is served in one."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from arena.competition.plan import Plan
from arena.engine.gomocup import GomocupServer
from arena.engine.gtp import GtpServer
from arena.engine.nboard import NBoardServer
from arena.engine.nypc import NypcServer
from arena.engine.server import EngineInfo, Interrupter, Server, serve
from arena.engine.session import AgentSession, GameLine, MakePlayer
from arena.engine.uci import UciServer
from arena.errors import BadSettings
from arena.process.stop_byte import StopByte
from games.base import split_parameters

__all__ = ["PROTOCOLS", "game_of", "serve_agent"]

_SERVERS: Final[Mapping[str, type[Server]]] = MappingProxyType(
    {"uci": UciServer, "gtp": GtpServer, "gomocup": GomocupServer, "nboard": NBoardServer, "nypc": NypcServer}
)
#: Each protocol with the games that it supports, the default first.
PROTOCOLS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {name: server.games for name, server in _SERVERS.items()}
)


def game_of(protocol: str, text: str | None) -> str:
    """The game to serve: the protocol's default if none is named; `BadSettings` if the protocol does not support it."""
    supported = PROTOCOLS[protocol]
    if text is None:
        return supported[0]
    if split_parameters(text)[0] not in supported:
        raise BadSettings(f"{protocol} serves {' and '.join(supported)}, not {text}")
    return text


def serve_agent(
    protocol: str, plan: Plan, info: EngineInfo, make_player: MakePlayer, *, stop_byte: StopByte,
    lines: Iterable[str], write: Callable[[str], None], wait_for_hangup: Callable[[], None],
) -> None:  # fmt: skip
    """Serve an agent until the input or the conversation ends; `NoMove` if the protocol cannot report a failure."""
    interrupter = Interrupter()
    session = AgentSession(
        make_player, seconds=plan.time_control.seconds, seed=plan.settings.seed,
        interruptible=interrupter.interruptible, stop_byte=stop_byte,
    )  # fmt: skip
    try:
        session.prepare(GameLine.begin(plan.game), plan.game.first)
        server = _SERVERS[protocol](session, plan.game, info)
        serve(server, lines, write, interrupter=interrupter, wait_for_hangup=wait_for_hangup)
    finally:
        session.close()

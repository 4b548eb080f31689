"""A conversation with a protocol server, without processes."""

from collections.abc import Callable
from functools import partial

import pytest

from agents.seat import Answer
from arena.engine.server import EngineInfo, Server
from arena.engine.session import AgentSession
from arena.referee.scripted_player import ScriptedPlayer
from games.base import load


class Ticks:
    """A clock that advances by a second whenever it is read."""

    seconds = 0.0

    def now(self) -> float:
        self.seconds += 1.0
        return self.seconds


class Conversation:
    """A server whose first player follows the script; call it with lines to get the replies.

    Each line is first offered to `reply_at_once`, then to `reply`. Each reply is passed through `read`; lines that
    begin with `skip` are left out.
    """

    def __init__(
        self, server: type[Server], *script: str | Answer | Exception, game: str, agent: str = "scripted",
        read: Callable[[str], str] = str, skip: str = "\0",
    ) -> None:  # fmt: skip
        self._skip = skip
        self.players: list[ScriptedPlayer] = []
        self._script = script
        self._read = read
        session = AgentSession(self._make_player, seconds=60.0, now=Ticks().now)
        self.server = server(session, load(game), EngineInfo(agent, "1.0"))

    def _make_player(self, _on_report: object) -> ScriptedPlayer:
        self.players.append(ScriptedPlayer(iter(self._script) if not self.players else ()))
        return self.players[-1]

    def __call__(self, *lines: str) -> list[str]:
        replies: list[str] = []
        for line in lines:
            at_once = self.server.reply_at_once(line)
            replies.extend(self.server.reply(line) if at_once is None else at_once)
        return [self._read(reply) for reply in replies if not reply.startswith(self._skip)]

    @property
    def own(self) -> list[float]:
        """The agent's own time at each question."""
        return [times.own for player in self.players for _, times in player.asked]


@pytest.fixture
def talk_to(request: pytest.FixtureRequest) -> Callable[..., Conversation]:
    """Starts conversations with the test module's `SERVER` about its `GAME`; takes the answers of the agent."""
    module = request.module
    options = {"read": getattr(module, "read_reply", str), "skip": getattr(module, "SKIP", "\0")}
    return partial(Conversation, module.SERVER, game=module.GAME, **options)

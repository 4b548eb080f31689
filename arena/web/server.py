"""Serving the site until Ctrl-C."""

import resource
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from arena.competition.uploading import Intake
from arena.entrants.tokens import Tokens
from arena.errors import BadSettings
from arena.web.app import site
from arena.web.checks import Checks
from arena.web.context import Context
from arena.web.door import Door
from arena.web.hub import MOST_VIEWERS, Hub
from arena.web.opponents import opponents as offered

__all__ = ["is_local", "serve"]

#: Files beside the connections of viewers: results, pages that are asked for, tables.
_OTHER_FILES = 1000


def is_local(host: str) -> bool:
    """Whether only programs of this machine can reach this host.

    >>> is_local("127.0.0.1"), is_local("0.0.0.0")
    (True, False)
    """
    return host in ("localhost", "::1") or host.startswith("127.")


class _Server(uvicorn.Server):
    """Ends the streams of all viewers first, so that Ctrl-C does not wait for them."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._hub.end()
        super().handle_exit(sig, frame)


def serve(
    db: Path, *, host: str, port: int, home: Path, on_ready: Callable[[str], None], intake: Intake | None = None,
    opponents: Sequence[str] = (), idle: float = 600.0,
) -> None:  # fmt: skip
    """Serve the site about a results file; `on_ready` is told the address. Port 0 is any free one.

    Tokens are those of the folder `home`. Without loopback every write needs one. With an intake, agents can be sent.
    Visitors may play against `opponents`, too; games that nobody looks at for `idle` seconds are ended.
    """
    offered(home, opponents)  # a mistake shows before the server starts
    _allow_viewers()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise BadSettings(
                f"cannot listen on {host}, port {port}: {why}; choose others with --host and --port"
            ) from error
        listening.listen(128)  # who asks from now on is answered
        hub = Hub(db)
        checks = None if intake is None else Checks(intake, announce=lambda: hub.announce_from_thread("upload"))
        door = Door(Tokens(home), needs_token=not is_local(host))
        context = Context(hub, door, checks=checks, opponents=opponents, idle=idle)
        config = uvicorn.Config(
            site(context, host=host), log_level="warning", access_log=False, server_header=False, lifespan="on",
            ws="none", proxy_headers=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        shown = f"[{host}]" if ":" in host else host
        on_ready(f"http://{shown}:{listening.getsockname()[1]}/")
        if checks is not None:
            checks.start()
        try:
            _Server(config, hub).run(sockets=[listening])
        finally:
            if checks is not None:
                checks.close()


def _allow_viewers() -> None:
    """Let this process hold a connection for each viewer: many systems allow 1,024 files unless one asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_VIEWERS + _OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

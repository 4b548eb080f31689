"""Serving the site until Ctrl-C."""

import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from arena.errors import BadSettings
from arena.web.app import site

__all__ = ["is_local", "serve"]


def is_local(host: str) -> bool:
    """Whether only programs of this machine can reach this host.

    >>> is_local("127.0.0.1"), is_local("0.0.0.0")
    (True, False)
    """
    return host in ("localhost", "::1") or host.startswith("127.")


def serve(db: Path, *, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve the site about a results file; `on_ready` is told the address. Port 0 is any free one."""
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
        config = uvicorn.Config(
            site(db, host=host), log_level="warning", access_log=False, server_header=False, lifespan="on", ws="none",
            proxy_headers=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        shown = f"[{host}]" if ":" in host else host
        on_ready(f"http://{shown}:{listening.getsockname()[1]}/")
        uvicorn.Server(config).run(sockets=[listening])

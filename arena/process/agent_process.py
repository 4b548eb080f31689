"""Talking to a Python player's process: one datagram each way."""

import json
import os
import socket
from collections.abc import Mapping
from typing import Final

from agents.child import DONE, ERROR, ERROR_BYTES, MOVE, MOVE_BYTES, NO_AGENT, OUT_OF_MEMORY, TAG_BYTES
from agents.seat import Ended, Fault
from arena.process.child_process import ChildProcess

__all__ = ["AgentProcess"]

_LIMITS: Final = {MOVE: MOVE_BYTES, DONE: 0, **dict.fromkeys((ERROR, OUT_OF_MEMORY, NO_AGENT), ERROR_BYTES)}
_REPLY_BYTES: Final = TAG_BYTES + 1 + ERROR_BYTES


class AgentProcess(ChildProcess):
    """One child process that answers one request at a time; between requests a confined one is frozen."""

    def send(self, verb: str, words: Mapping[str, object]) -> bytes:
        """Ask; gives the tag that the reply must carry.

        Raises `Ended` when the process is gone, `Fault` when it did something since it was asked last.
        """
        if self._receive() is not None:
            raise Fault("protocol", "sent a message without being asked")
        self.thaw()
        tag = os.urandom(TAG_BYTES)
        try:
            self._body.wire.send(tag + json.dumps({verb: words}).encode(), socket.MSG_DONTWAIT)
        except BlockingIOError as error:
            raise Fault("protocol", "answers requests without taking them") from error
        except OSError as error:
            raise Ended("the process is gone") from error
        return tag

    def receive(self, tag: bytes, *, deadline: float) -> tuple[bytes, str] | None:
        """The kind and text of the reply, None at the deadline; the process is frozen when it has replied.

        Raises `Ended` when the process is gone, `Fault` when it breaks a rule.
        """
        reply = self._receive() if self._is_heard(deadline) else None
        self._weigh_now_and_then()
        if reply is None:
            return None
        self.freeze()
        kind, payload = reply[TAG_BYTES : TAG_BYTES + 1], reply[TAG_BYTES + 1 :]
        if reply[:TAG_BYTES] != tag:
            raise Fault("protocol", "sent a message that answers no request")
        if kind not in _LIMITS or len(payload) > _LIMITS[kind]:
            raise Fault("protocol", f"sent a malformed message of {len(reply)} bytes")
        return kind, payload.decode("utf-8", "backslashreplace")

    def _receive(self) -> bytes | None:
        """A message, if there is one; an over-long one stays over-long."""
        try:
            message = self._body.wire.recv(_REPLY_BYTES + 1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            raise Ended("the process is gone") from error
        if not message:
            raise Ended("the process is gone")
        return message

"""Commands of the Go Text Protocol and the replies to them."""

import re
from dataclasses import dataclass
from typing import Final

from agents.seat import Channel, Fault

__all__ = ["Conversation", "Reply"]

_HEAD: Final = re.compile(r"(?P<sign>[=?])(?P<number>[0-9]*)(?P<text>.*)", re.ASCII | re.DOTALL)
#: What the protocol discards; a tab counts as a space.
_CONTROLS: Final = dict.fromkeys((*range(9), *range(10, 32), 127)) | {9: " "}
_REPLY_CHARACTERS: Final = 64 * 1024
_SHOWN_CHARACTERS: Final = 100


@dataclass(frozen=True, slots=True)
class Reply:
    """What an engine said to a command: its lines, and whether it did what it was told."""

    is_refusal: bool
    text: str


class Conversation:
    """Numbered commands, each answered before the next; made anew for each process."""

    def __init__(self) -> None:
        self._number = 0

    def say(self, channel: Channel, command: str, deadline: float) -> str:
        """The reply to a command that an engine must obey; a refusal is a `Fault`."""
        reply = self.ask(channel, command, deadline)
        if reply.is_refusal:
            raise Fault("protocol", f"refused {command!r}: {_shown(reply.text)}")
        return reply.text

    def ask(self, channel: Channel, command: str, deadline: float) -> Reply:
        """The reply to a command, be it a refusal."""
        self._number += 1
        channel.send(f"{self._number} {command}")
        line = ""
        while not line:
            line = _line(channel, deadline)
        head = _HEAD.fullmatch(line)
        # An engine that never says the number is understood all the same; a wrong one answers something else.
        if head is None or head["number"] not in ("", str(self._number)):
            raise Fault("protocol", f"sent {_shown(line)} where the reply to '{self._number} {command}' belongs")
        return Reply(head["sign"] == "?", _rest(channel, head["text"].strip(), deadline))


def _rest(channel: Channel, first: str, deadline: float) -> str:
    """The lines of a reply up to the empty one that ends it."""
    lines = [first]
    size = len(first)
    while line := _line(channel, deadline):
        size += len(line) + 1
        if size > _REPLY_CHARACTERS:
            raise Fault("protocol", f"sent a reply of more than {_REPLY_CHARACTERS} characters")
        lines.append(line)
    return "\n".join(lines)


def _line(channel: Channel, deadline: float) -> str:
    return channel.receive(deadline).translate(_CONTROLS).strip()


def _shown(text: str) -> str:
    return repr(text[:_SHOWN_CHARACTERS])

"""UCI spoken to one process: greetings, options, searches."""

from typing import Final

from agents.seat import Channel, Fault
from stockfish_bridge.reply import Found, Option, read_bestmove, read_name, read_option, read_score

__all__ = ["Speech"]

#: More options than any engine has; what is offered beyond is not remembered.
_MOST_OPTIONS: Final = 500


class Speech:
    """What is known of an engine, and how it is spoken to. Every wait ends at the deadline: the channel sees to it."""

    def __init__(self) -> None:
        self._options: dict[str, Option] = {}
        self.name = ""

    def greet(self, channel: Channel, deadline: float) -> None:
        """Ask for name and options; may be asked again when the options have changed."""
        channel.send("uci")
        self._options.clear()
        while (line := channel.receive(deadline)).split(maxsplit=1)[:1] != ["uciok"]:
            self.name = read_name(line) or self.name
            option = read_option(line)
            if option is not None and len(self._options) < _MOST_OPTIONS:
                self._options[_key(option.name)] = option

    def option(self, name: str) -> Option | None:
        """What the engine offers under this name: in any case, `_` for a space."""
        return self._options.get(_key(name))

    def set(self, channel: Channel, name: str, value: int | float | str) -> None:
        """Set an option; `Fault` if the engine has none of that name or not that value."""
        option = self.option(name)
        if option is None:
            raise Fault("protocol", f"has no option {name!r}")
        text = option.text(value)
        if text is None:
            raise Fault("protocol", f"has no value {value!r} for its option {option.name!r}")
        channel.send(f"setoption name {option.name}" + ("" if option.kind == "button" else f" value {text}"))

    def wait(self, channel: Channel, deadline: float) -> None:
        """Wait until the engine has done all it was told; whatever it says meanwhile is dropped."""
        channel.send("isready")
        while channel.receive(deadline).strip() != "readyok":
            pass

    def search(self, channel: Channel, position: str, go: str, deadline: float) -> Found:
        """Search `position` (what follows the word) with the limit `go`."""
        channel.send(f"position {position}")
        self.wait(channel, deadline)  # so that the answer to an earlier search is never taken for this one's
        channel.send(f"go {go}")
        score: int | None = None
        while True:
            line = channel.receive(deadline)
            move = read_bestmove(line)
            if move is not None:
                return Found(move, score)
            exact = read_score(line)
            score = score if exact is None else exact


def _key(name: str) -> str:
    return " ".join(name.replace("_", " ").lower().split())

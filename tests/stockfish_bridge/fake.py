"""A fake UCI engine for a `ScriptedChannel`."""

from collections.abc import Callable, Iterable, Sequence

Search = Callable[[str, str], Iterable[str | Exception]]

OPTIONS = (
    "option name Threads type spin default 1 min 1 max 1024",
    "option name Hash type spin default 16 min 1 max 33554432",
    "option name Skill Level type spin default 20 min 0 max 20",
)


def first_searched(position: str, go: str) -> Iterable[str]:
    """Answers with the first move of `searchmoves`."""
    yield "info depth 1 score cp 0"
    yield f"bestmove {go.partition('searchmoves ')[2].split()[0]}"


class FakeEngine:
    """Replies like an engine; `search` gets the arguments of `position` and `go` and returns lines."""

    def __init__(
        self, search: Search = first_searched, *, options: Sequence[str] = OPTIONS, name: str = "Fake 1.0"
    ) -> None:
        self._search = search
        self.options = list(options)
        self.name = name
        self._position = ""

    def __call__(self, line: str) -> Iterable[str | Exception]:
        word, _, rest = line.partition(" ")
        if word == "uci":
            return [f"id name {self.name}", "id author nobody", *self.options, "uciok"]
        if word == "isready":
            return ["readyok"]
        if word == "position":
            self._position = rest
        return self._search(self._position, rest) if word == "go" else ()

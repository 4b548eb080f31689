"""The text of UCI, for both sides: commands to an engine (`position`, `go`, `setoption`), and an engine's replies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final, Self

from agents.external.protocol import centipawns, expected_score
from games.errors import BadPosition

__all__ = [
    "MATE", "MICROCHESS_VARIANTS", "VARIANT_OPTION", "Go", "Option", "Position", "SearchInfo", "SetOption",
    "bestmove_line", "info_line", "name_line", "read_bestmove", "read_name", "read_score", "read_thought",
    "split_command",
]  # fmt: skip

VARIANT_OPTION: Final = "UCI_Variant"
#: The names of microchess as a variant: in our definition for Fairy-Stockfish, and the name of the game.
MICROCHESS_VARIANTS: Final = ("arenamicro", "microchess")
#: The score of a mate on the board; other scores are in hundredths of a pawn.
MATE: Final = 100_000
_WIDEST: Final = MATE // 2
_OPTION: Final = re.compile(r"option name (\S.*?) type (check|spin|combo|button|string)(?: (.*))?", re.ASCII)
_SCORE: Final = re.compile(r"\bscore\s+(cp|mate)\s+(-?[0-9]{1,9})(?![0-9])(?:\s+(lowerbound|upperbound)\b)?", re.ASCII)
_DEPTH: Final = re.compile(r"\bdepth\s+([0-9]{1,4})(?![0-9])", re.ASCII)
_NODES: Final = re.compile(r"\bnodes\s+([0-9]{1,15})(?![0-9])", re.ASCII)
_MULTIPV: Final = re.compile(r"\bmultipv\s+(?!1\b)", re.ASCII)
_SPIN: Final = re.compile(r"\b(min|max)\s+(-?[0-9]{1,18})(?![0-9])", re.ASCII)
_SET_OPTION: Final = re.compile(r"name\s+(.+?)(?:\s+value\s+(.*))?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
_COMMANDS: Final = (
    "uci", "isready", "ucinewgame", "setoption", "position", "go", "stop", "ponderhit", "quit", "debug", "register",
)  # fmt: skip
_GO_NUMBERS: Final = frozenset(["wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes", "depth", "mate"])
_GO_ORDER: Final = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes", "depth")
_GO_WORDS: Final = _GO_NUMBERS | {"infinite", "ponder", "searchmoves"}
_NO_MOVE: Final = "(none)"
_FEN_FIELDS_WITHOUT_COUNTERS: Final = 4
_NAME_LENGTH: Final = 100
_MOVE_LENGTH: Final = 64
_LINE_LENGTH: Final = 32


def split_command(line: str) -> tuple[str, list[str]]:
    """The command of a line and its arguments; words before the command are ignored. Empty if there is no command."""
    words = line.split()
    for index, word in enumerate(words):
        if word in _COMMANDS:
            return word, words[index + 1 :]
    return "", []


@dataclass(frozen=True, slots=True)
class Position:
    """The command `position`: the FEN of the start, empty for the game's own start position, and the moves since."""

    start: str
    moves: tuple[str, ...] = ()

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """The position in the arguments of the command; `BadPosition` if they have another form."""
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = list(words[:at]), tuple(words[at + 1 :])
        if start == ["startpos"]:
            return cls("", moves)
        fields = start[1:]
        if start[:1] != ["fen"] or not fields:
            raise BadPosition("expected startpos, or fen and a FEN, then optionally moves and the moves")
        # Many programs leave out the two counters at the end of a FEN.
        counters = ["0", "1"] if len(fields) == _FEN_FIELDS_WITHOUT_COUNTERS else []
        return cls(" ".join([*fields, *counters]), moves)

    def __str__(self) -> str:
        start = f"fen {self.start}" if self.start else "startpos"
        return " ".join(["position", start, *(["moves", *self.moves] if self.moves else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    """The command `go`; times are in milliseconds."""

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    searchmoves: tuple[str, ...] = ()
    is_infinite: bool = False
    is_ponder: bool = False

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """The limits in the arguments of the command; what is not understood is ignored."""
        numbers = {key: int(text) for key, text in pairwise(words) if key in _GO_NUMBERS and _NUMBER.fullmatch(text)}
        at = words.index("searchmoves") + 1 if "searchmoves" in words else len(words)
        return cls(
            wtime=numbers.get("wtime"), btime=numbers.get("btime"), winc=numbers.get("winc"),
            binc=numbers.get("binc"), movestogo=numbers.get("movestogo"), movetime=numbers.get("movetime"),
            nodes=numbers.get("nodes"), depth=numbers.get("depth"),
            searchmoves=tuple(takewhile(lambda word: word not in _GO_WORDS, words[at:])),
            is_infinite="infinite" in words, is_ponder="ponder" in words,
        )  # fmt: skip

    def __str__(self) -> str:
        numbers = {key: getattr(self, key) for key in _GO_ORDER}
        words = [f"{key} {number}" for key, number in numbers.items() if number is not None]
        words += [word for word, is_given in (("infinite", self.is_infinite), ("ponder", self.is_ponder)) if is_given]
        return " ".join(["go", *words, *(["searchmoves", *self.searchmoves] if self.searchmoves else [])])


@dataclass(frozen=True, slots=True)
class SetOption:
    """The command `setoption`; a button has no value."""

    name: str
    value: str | None = None

    @classmethod
    def read(cls, words: Sequence[str]) -> Self | None:
        """The option in the arguments of the command; None if they have another form."""
        found = _SET_OPTION.fullmatch(" ".join(words))
        return None if found is None else cls(found[1], found[2])

    def __str__(self) -> str:
        return f"setoption name {self.name}" + ("" if self.value is None else f" value {self.value}")


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that an engine offers."""

    name: str
    kind: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    @classmethod
    def read(cls, line: str) -> Self | None:
        """The option that an `option` line describes; None for other lines."""
        # With single spaces the expression takes time in proportion to the length; with many it would be its square.
        match = _OPTION.fullmatch(" ".join(line.split()))
        if match is None:
            return None
        name, kind, rest = match[1], match[2], match[3] or ""
        if kind == "combo":
            choices = (choice.strip() for choice in re.split(r"(?:^|\s)var\s", rest)[1:])
            return cls(name, kind, choices=tuple(choices))
        bounds = {word: int(number) for word, number in _SPIN.findall(rest)} if kind == "spin" else {}
        return cls(name, kind, least=bounds.get("min"), most=bounds.get("max"))

    def line(self, default: str) -> str:
        """The `option` line that offers a combo box, or a number with its bounds."""
        bounds = f" min {self.least} max {self.most}" if self.kind == "spin" else ""
        choices = "".join(f" var {choice}" for choice in self.choices)
        return f"option name {self.name} type {self.kind} default {default}{bounds}{choices}"

    def text(self, value: int | float | str) -> str | None:
        """How `value` is written for this option; None if the option cannot have it."""
        written = str(value)
        if self.kind == "check":
            return {"yes": "true", "true": "true", "no": "false", "false": "false"}.get(written.lower())
        if self.kind == "combo":
            return next((choice for choice in self.choices if choice.lower() == written.lower()), None)
        if self.kind == "spin" and not self._is_within_bounds(value):
            return None
        return written

    def _is_within_bounds(self, value: int | float | str) -> bool:
        if not isinstance(value, int):
            return False
        return (self.least is None or self.least <= value) and (self.most is None or value <= self.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchInfo:
    """An `info` line about a search; the value is the expected score of the side to move, from 0 to 1."""

    depth: int
    nodes: int
    milliseconds: int
    value: float
    line: tuple[str, ...]

    def __str__(self) -> str:
        speed = f" nps {1000 * self.nodes // self.milliseconds}" if self.milliseconds else ""
        moves = f" pv {' '.join(self.line)}" if self.line else ""
        return (
            f"info depth {self.depth} score cp {centipawns(self.value)} nodes {self.nodes}{speed} "
            f"time {self.milliseconds}{moves}"
        )


def name_line(name: str) -> str:
    """The line in which an engine reports its name."""
    return f"id name {name}"


def read_name(line: str) -> str | None:
    """The engine's name in an `id name` line, cut to a sensible length; None for other lines."""
    words = line.split(maxsplit=2)
    return words[2].strip()[:_NAME_LENGTH] if words[:2] == ["id", "name"] and len(words) == 3 else None


def info_line(text: str) -> str:
    """The line in which an engine sends a text to be shown."""
    return f"info string {text}"


def read_score(line: str) -> int | None:
    """The exact score of an `info` line about the best variation; a mate in n is n less than `MATE`."""
    if not line.startswith("info ") or " string " in line or _MULTIPV.search(line):
        return None
    match = _SCORE.search(line)
    if match is None or match[3]:
        return None
    number = int(match[2])
    if match[1] == "cp":
        return max(-_WIDEST, min(_WIDEST, number))
    turns = min(abs(number), _WIDEST)
    return MATE - turns if number > 0 else turns - MATE


def read_thought(line: str) -> dict[str, object] | None:
    """What an `info` line with an exact score says, as values of `BaseAgent.tell`; None for other lines.

    >>> read_thought("info depth 7 seldepth 9 score cp 0 nodes 1234 nps 99 pv d2d3 a4a3")
    {'value': 0.5, 'depth': 7, 'nodes': 1234, 'line': ['d2d3', 'a4a3']}
    """
    if (score := read_score(line)) is None:
        return None
    head, _, moves = line.partition(" pv ")
    depth, nodes = _DEPTH.search(head), _NODES.search(head)
    return {
        "value": expected_score(score), "depth": int(depth[1]) if depth else 0, "nodes": int(nodes[1]) if nodes else 0,
        "line": [move[:_MOVE_LENGTH] for move in moves.split(maxsplit=_LINE_LENGTH)[:_LINE_LENGTH]],
    }  # fmt: skip


def bestmove_line(move: str | None) -> str:
    """The line that ends a search; None if the engine has no move."""
    return f"bestmove {_NO_MOVE if move is None else move}"


def read_bestmove(line: str) -> str | None:
    """The move of a `bestmove` line as it is written, empty if the line has no move; None for other lines."""
    words = line.split(maxsplit=2)
    if not words or words[0] != "bestmove":
        return None
    return words[1][:_MOVE_LENGTH] if len(words) > 1 else ""

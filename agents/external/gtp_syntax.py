"""The text of GTP version 2, for both sides: commands, replies, colours, vertices, times, scores."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from agents.external.protocol import centipawns
from games.base import BLACK, WHITE, Color, Game
from games.errors import ArenaError

__all__ = [
    "ANALYSES", "COLOR_NAMES", "PASSING", "Candidate", "Command", "GtpFailure", "Reply", "TimeLeft", "TimeSettings",
    "board_size", "candidates", "clean", "game_title", "read_analysis", "read_color", "read_numbers", "read_vertex",
    "score_text", "vertex_text",
]  # fmt: skip

PASSING: Final = "pass"
COLOR_NAMES: Final = {BLACK: "black", WHITE: "white"}
_COLORS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_OTHELLO_SIZE: Final = 8
_COMMAND: Final = re.compile(r"(?:([0-9]+)(?:\s+|$))?(\S*)\s*(.*)")
_REPLY: Final = re.compile(r"(?P<sign>[=?])(?P<number>[0-9]*)(?P<text>.*)", re.ASCII | re.DOTALL)
_VERTEX: Final = re.compile(r"[a-hj-t][0-9]{1,2}|pass", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
#: The commands that analyse and then play, each with the value of a certain win.
ANALYSES: Final = {"kata-genmove_analyze": 1.0, "lz-genmove_analyze": 10_000.0}
_VARIATION: Final = re.compile(r"\binfo move \S")
_WIN_RATE: Final = re.compile(r"\bwinrate ([0-9.]{1,12})(?=\s|$)")
_MOST_CANDIDATES: Final = 32
_SHARE: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,12})?", re.ASCII)
_PLAYED: Final = re.compile(r"^play (\S+)$", re.MULTILINE)
#: GTP discards control characters and treats a tab as a space.
_CONTROLS: Final = dict.fromkeys((*range(9), *range(10, 32), 127)) | {9: " "}


class GtpFailure(ArenaError):
    """A command that fails; the text of the exception becomes the text of the `?` reply."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command with its arguments and its id; an empty id means that the command has none."""

    name: str
    arguments: tuple[str, ...] = ()
    number: str = ""

    @classmethod
    def read(cls, line: str) -> Self | None:
        """The command of a line; None for an empty line or a comment."""
        found = _COMMAND.fullmatch(clean(line.partition("#")[0]))
        if found is None or not found[0]:
            return None
        return cls(found[2], tuple(found[3].split()), found[1] or "")


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a command: `=` for success or `?` for a failure, the command's id, and a text."""

    text: str
    is_failure: bool = False
    number: str = ""

    @classmethod
    def read(cls, line: str) -> Self | None:
        """The first line of a reply, already cleaned; None if no reply begins like this."""
        found = _REPLY.fullmatch(line)
        return None if found is None else cls(found["text"].strip(), found["sign"] == "?", found["number"])

    def __str__(self) -> str:
        """The reply as it is sent; the line break at its end makes the empty line that closes a reply."""
        return f"{'?' if self.is_failure else '='}{self.number} {self.text}\n"


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """The arguments of `time_settings`: main time, then `stones` moves per period (Canadian byo-yomi), in seconds."""

    main: int
    period: int
    stones: int

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """The settings in the arguments of a command; `GtpFailure` if they are not three numbers."""
        return cls(*read_numbers(words, 3))

    def __str__(self) -> str:
        return f"{self.main} {self.period} {self.stones}"

    @property
    def is_unlimited(self) -> bool:
        """Whether there is no time limit: a period without stones, or all zero."""
        return (self.period > 0 and self.stones == 0) or not (self.main or self.period)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The arguments of `time_left`; zero stones mean that the seconds are main time."""

    color: Color
    seconds: int
    stones: int = 0

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """The time in the arguments of a command; `GtpFailure` if they are not a colour and two numbers."""
        return cls(read_color(words), *read_numbers(words[1:], 2))

    def __str__(self) -> str:
        return f"{COLOR_NAMES[self.color]} {self.seconds} {self.stones}"


def clean(line: str) -> str:
    """The line without control characters and without space at its ends."""
    return line.translate(_CONTROLS).strip()


def read_color(words: Sequence[str]) -> Color:
    """The colour that the first word names; `GtpFailure` if it names none."""
    color = _COLORS.get(words[0].lower()) if words else None
    if color is None:
        raise GtpFailure("syntax error")
    return color


def read_vertex(words: Sequence[str]) -> str:
    """The vertex or pass in the first word; `GtpFailure` if it is neither."""
    if not words or not _VERTEX.fullmatch(words[0]):
        raise GtpFailure("syntax error")
    return words[0]


def read_numbers(words: Sequence[str], count: int) -> list[int]:
    """The first `count` words as whole numbers; `GtpFailure` if they are not."""
    if len(words) < count or not all(_NUMBER.fullmatch(word) for word in words[:count]):
        raise GtpFailure("syntax error")
    return [int(word) for word in words[:count]]


def read_analysis(text: str, command: str) -> tuple[str, int | None]:
    r"""The move of a reply to one of `ANALYSES`, and the score of its best variation in hundredths of a pawn.

    >>> read_analysis("info move D4 visits 9 winrate 0.64 pv D4\nplay D4", "kata-genmove_analyze")
    ('D4', 100)
    """
    played, best = _PLAYED.search(text), _VARIATION.search(text)
    # Two searches: one expression for both would look again from every variation of an endless list.
    found = None if best is None else _WIN_RATE.search(text, best.end())
    try:
        share = float(found[1]) / ANALYSES[command] if found is not None else math.nan
    except ValueError:
        share = math.nan
    score = centipawns(share) if 0 <= share <= 1 else None
    return played[1] if played is not None else text.partition("\n")[0], score


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move of an analysis; `value` is the expected score of the side to move, `prior` a first guess."""

    move: str
    visits: int
    value: float | None
    prior: float | None
    line: tuple[str, ...]


def candidates(line: str, command: str) -> list[Candidate]:
    """The moves of one line of an analysis, best first; what cannot be read is left out.

    >>> line = "info move D4 visits 9 winrate 0.64 prior 0.2 pv D4 C3 info move C3 visits 2"
    >>> [(one.move, one.visits, one.value, one.line) for one in candidates(line, "kata-genmove_analyze")]
    [('D4', 9, 0.64, ('D4', 'C3')), ('C3', 2, None, ())]
    """
    found = []
    for part in clean(line).split("info ")[1 : _MOST_CANDIDATES + 1]:
        head, _, moves = part.partition(" pv ")
        words = head.split()
        values = dict(zip(words[::2], words[1::2], strict=False))
        if (move := values.get("move")) is None:
            continue
        visits = values.get("visits", "")
        found.append(
            Candidate(
                move, int(visits) if _NUMBER.fullmatch(visits) else 0, _share(values.get("winrate"), ANALYSES[command]),
                _share(values.get("prior"), ANALYSES[command]), tuple(moves.split()[:_MOST_CANDIDATES]),
            )
        )  # fmt: skip
    return found


def _share(text: str | None, whole: float) -> float | None:
    """A number as a share of what stands for a certain win; None for anything else."""
    if text is None or not _SHARE.fullmatch(text):
        return None
    share = float(text) / whole
    return share if 0 <= share <= 1 else None


def vertex_text(move: str) -> str:
    """A move as a reply to `genmove`: vertices in upper case, `pass` in lower case."""
    return move if move == PASSING else move.upper()


def board_size(game: Game) -> int:
    """The argument of `boardsize` for this game."""
    return int(game.parameters.get("size", _OTHELLO_SIZE))


def game_title(game: Game) -> str:
    """The argument of `set_game` for this game."""
    return game.name.capitalize()


def score_text(*, black: float, white: float) -> str:
    """The reply to `final_score`.

    >>> score_text(black=45, white=43.5), score_text(black=30, white=34), score_text(black=8, white=8)
    ('B+1.5', 'W+4', '0')
    """
    margin = black - white
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"

"""Submitted agents that look alike: a hint for a person, never a verdict. Their code is only read as text."""

import builtins
import functools
import hashlib
import io
import keyword
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from arena.entrants.scaffold import agent_texts
from arena.entrants.staging import stage_of
from arena.entrants.submissions import Submission

__all__ = ["Likeness", "Print", "alike", "fingerprint", "shared"]

#: Programs are near-identical if they share this part of their runs of tokens.
_NEAR: Final = 0.85
#: Shorter programs look alike anyway.
_FEWEST_RUNS: Final = 60
_RUN: Final = 6
_MOST_BYTES: Final = 512 << 10  # of all files of a submission: somebody may hand in 64 MiB, which takes minutes
_KEPT: Final = frozenset((*keyword.kwlist, *dir(builtins)))
_SKIPPED: Final = frozenset((tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER))


@dataclass(frozen=True, slots=True)
class Print:
    """What code is compared by: the hash of its bytes, and its runs of tokens. Names of files do not count."""

    exact: str
    runs: frozenset[int]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two submissions with different names and the same or nearly the same code."""

    one: Submission
    two: Submission
    is_equal: bool

    def __str__(self) -> str:
        how = "has the same code as" if self.is_equal else "has nearly the same code as"
        return f"{_label(self.one)} {how} {_label(self.two)}"


def alike(submissions: Sequence[Submission], *, home: Path, names: Iterable[str] | None = None) -> list[Likeness]:
    """The pairs of different names, and if known different owners, whose code is alike; each pair of names once.

    With `names`, only pairs with one of these. The later submission comes first in a pair.
    """
    wanted = None if names is None else set(names)
    prints = {hash_: found for hash_ in {one.hash for one in submissions} if (found := _print_of(hash_, home=home))}
    ordered = sorted((one for one in submissions if one.hash in prints), key=lambda one: (one.date, one.name))
    pairs: dict[tuple[str, str], Likeness] = {}
    for index, later in enumerate(ordered):
        for earlier in ordered[:index]:
            is_wanted = wanted is None or not wanted.isdisjoint((later.name, earlier.name))
            if not is_wanted or later.name == earlier.name or (later.owner and later.owner == earlier.owner):
                continue
            likeness = _compared(later, earlier, prints)
            key = min(later.name, earlier.name), max(later.name, earlier.name)
            if likeness is not None and (key not in pairs or likeness.is_equal > pairs[key].is_equal):
                pairs[key] = likeness
    return list(pairs.values())


def fingerprint(folder: Path) -> Print:
    """The print of all files of a stage."""
    exact: list[str] = []
    runs: set[int] = set()
    left = _MOST_BYTES
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            exact.append(hashlib.sha256(data).hexdigest())
            if path.suffix == ".py":
                runs |= _runs(data[:left].decode("utf-8", "replace"))
                left -= min(left, len(data))
    return Print(" ".join(sorted(exact)), frozenset(runs))


def shared(one: Print, two: Print) -> float:
    """The part of all runs of tokens of both that they have in common."""
    together = len(one.runs | two.runs)
    return len(one.runs & two.runs) / together if together else 0.0


def _print_of(digest: str, *, home: Path) -> Print | None:
    stage = stage_of(digest, home=home)
    if stage is None:
        return None
    found = fingerprint(stage.folder)
    return Print(found.exact, found.runs - _scaffold())


@functools.cache
def _scaffold() -> frozenset[int]:
    """The runs of what `arena new agent` writes: whoever starts from it shares them."""
    return frozenset(chain.from_iterable(map(_runs, agent_texts())))


def _compared(later: Submission, earlier: Submission, prints: dict[str, Print]) -> Likeness | None:
    one, two = prints[later.hash], prints[earlier.hash]
    if one.exact == two.exact and len(one.runs) > _RUN:  # one changed word of the scaffold, such as a name, has so many
        return Likeness(later, earlier, is_equal=True)
    fewest, most = sorted((len(one.runs), len(two.runs)))
    if fewest < _FEWEST_RUNS or fewest < _NEAR * most or shared(one, two) < _NEAR:
        return None
    return Likeness(later, earlier, is_equal=False)


def _runs(source: str) -> frozenset[int]:
    tokens = list(_tokens(source))
    return frozenset(hash(tuple(tokens[at : at + _RUN])) for at in range(len(tokens) - _RUN + 1))


def _tokens(source: str) -> Iterator[str]:
    """The tokens without comments, docstrings and layout; names that the program chose are all the same."""
    before, is_start = "", True
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in _SKIPPED:
                is_start = is_start or token.type in (tokenize.NEWLINE, tokenize.NL)
            elif token.type in (tokenize.INDENT, tokenize.DEDENT):
                is_start = True
                yield tokenize.tok_name[token.type]
            elif token.type != tokenize.STRING or not is_start:
                is_own = token.type == tokenize.NAME and token.string not in _KEPT and before != "."
                yield "name" if is_own else token.string
                before, is_start = token.string, False
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        return  # the tokens up to the place that cannot be read


def _label(submission: Submission) -> str:
    return submission.name if submission.version == 1 else f"{submission.name}@{submission.version}"

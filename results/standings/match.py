"""The result of a match between two entrants. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Final, Self

from results.load import Load
from results.record import GameRecord
from results.standings.elo import Performance, elo_of, performance
from results.standings.score import Mirrors, Pentanomial, Score, distinct, score
from results.text import counted, plain

if TYPE_CHECKING:
    import pandas

__all__ = ["Match", "ladder_text"]

#: With fewer games no Elo is shown: not even the sign of a bound would be certain.
_FEW: Final = 4
#: What one side can make of two games.
_POINTS: Final = ("0 points", "½ point", "1 point", "1½ points", "2 points")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Scores of `one` against `two`: per seat, over all games, over the distinct games, and in mirrored pairs.

    `pentanomial` counts pairs of games with the same opening and swapped seats, by the points of `one`. A pair that
    repeats an earlier pair is not counted.
    """

    one: str
    two: str
    as_first: Score
    as_second: Score
    overall: Score
    distinct: Score
    pentanomial: Pentanomial
    load: Load = field(default_factory=Load)

    @classmethod
    def of(cls, records: Sequence[GameRecord], *, one: str, two: str) -> Self:
        """The match of these records."""
        mirrors = Mirrors(one)
        for record in records:
            mirrors.add(record)
        return cls(
            one=one,
            two=two,
            as_first=score((record for record in records if record.first.name == one), agent=one),
            as_second=score((record for record in records if record.second.name == one), agent=one),
            overall=score(records, agent=one),
            distinct=score(distinct(records), agent=one),
            pentanomial=mirrors.counts,
            load=Load.of(record.load for record in records),
        )

    @property
    def performance(self) -> Performance:
        """Elo with its error: from the pairs if every game has its mirror and none repeats, else from the games."""
        if 2 * sum(self.pentanomial) == self.overall.games == self.distinct.games:
            return performance(self.pentanomial)
        counts = self.distinct.losses, self.distinct.draws, self.distinct.wins
        return performance(counts, mean=self.overall.mean)

    def to_pandas(self) -> "pandas.DataFrame":
        """One row, with the keys of `as_dict` as columns."""
        import pandas

        return pandas.DataFrame([self.as_dict()])

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        cells = {
            "games": str(self.overall.games),
            "won": str(self.overall.wins),
            "drawn": str(self.overall.draws),
            "lost": str(self.overall.losses),
            "score": f"{self.overall.mean:.3f} ± {self.distinct.error:.3f}",
            "as first": _mean(self.as_first),
            "as second": _mean(self.as_second),
            "Elo": self.elo_text(),
        }
        caption = f"{plain(self.one, limit=60)} against {plain(self.two, limit=60)}"
        head = "".join(f"<th>{escape(name)}</th>" for name in cells)
        row = "".join(f"<td>{escape(text)}</td>" for text in cells.values())
        return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr><tr>{row}</tr></table>"

    def text(self) -> str:
        """The match in a few lines."""
        one, two, overall = plain(self.one, limit=40), plain(self.two, limit=40), self.overall
        same = overall.games == self.distinct.games
        lines = [
            f"{one} as first: {_mean(self.as_first)}, as second: {_mean(self.as_second)}",
            f"{one}: {overall.mean:.3f} vs. {two}: {1 - overall.mean:.3f}",
            f"{one}: {counted(overall.wins, 'win')}, {counted(overall.draws, 'draw')}, {_losses(overall.losses)}; "
            f"± {self.distinct.error:.3f} (95 %); {counted(overall.games, 'game')}, "
            f"{'all' if same else self.distinct.games} distinct",
        ]
        if overall.games:
            lines.append(f"{self._elo()}; {self._better()}")
        if any(self.pentanomial):
            counts = ", ".join(f"{points}: {count}" for points, count in zip(_POINTS, self.pentanomial, strict=True))
            lines.append(f"Pairs of games with sides swapped, by points of {one}: {counts}")
        if not same:
            lines.append("Some games repeat others: error bars and pairs count each distinct one once.")
        lines += self.load.notes
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """The match as JSON; a value without a bound is null."""
        found = self.performance
        return {
            "one": self.one,
            "two": self.two,
            "games": self.overall.games,
            "distinct": self.distinct.games,
            "wins": self.overall.wins,
            "draws": self.overall.draws,
            "losses": self.overall.losses,
            "score": self.overall.mean,
            "error": self.distinct.error,
            "score_first": self.as_first.mean if self.as_first.games else None,
            "score_second": self.as_second.mean if self.as_second.games else None,
            "elo": found.elo,
            "elo_error": found.error,
            "nelo": found.nelo,
            "nelo_error": found.nelo_error,
            "los": found.los,
            "pentanomial": list(self.pentanomial),
            "starved": self.load.starved,
        }

    def _better(self) -> str:
        los = self.performance.los
        if self.overall.mean == 0.5:
            return "equal scores, so neither is ahead"
        name, likelihood = (self.one, los) if los > 0.5 else (self.two, 1 - los)
        return f"{plain(name, limit=40)} is better with a likelihood (LOS) of {_percent(likelihood)}"

    def elo_text(self) -> str:
        """The difference in Elo with its error, if there are enough games for them."""
        found, mean = self.performance, self.overall.mean
        if self.distinct.games < _FEW:
            kind = "games" if self.distinct.games == self.overall.games else "distinct games"
            return f"unknown: too few {kind}"
        if found.elo is None:
            # An error is always below 1, so the interval of a perfect score has a bound inside.
            bound = elo_of(abs(mean - self.distinct.error)) or 0.0
            return f"{'over' if mean else 'below'} {bound:+.0f}"
        if found.error is None:
            return f"{found.elo:+.0f}, too few games for an error bar"
        return f"{found.elo:+.1f} ± {found.error:.1f}"

    def _elo(self) -> str:
        found = self.performance
        has_error = self.distinct.games >= _FEW and found.elo is not None and found.error is not None
        normal = f", nElo {found.nelo:+.1f} ± {found.nelo_error:.1f}" if has_error else ""
        return f"Elo {self.elo_text()}{normal}"


def ladder_text(matches: Sequence[Match]) -> str:
    """Matches of one entrant against several others as a text table, in the given order."""
    from tabulate import tabulate

    rows = [
        (
            plain(match.two, limit=60), match.overall.games, f"{match.overall.mean:.3f} ± {match.distinct.error:.3f}",
            _mean(match.as_first), _mean(match.as_second), match.elo_text().partition(", too")[0],
        )
        for match in matches
    ]  # fmt: skip
    head = ("against", "games", "score (95 %)", "first", "second", "Elo")
    one = plain(matches[0].one, limit=40)
    repeats = any(match.overall.games != match.distinct.games for match in matches)
    note = "\nSome games repeat others: error bars count each distinct one once." if repeats else ""
    busy = "".join(f"\nAgainst {plain(match.two, limit=60)}: {line}" for match in matches for line in match.load.notes)
    return f"{one}\n\n{tabulate(rows, head, disable_numparse=True)}{note}{busy}"


def _losses(number: int) -> str:
    return "1 loss" if number == 1 else f"{number} losses"


def _mean(score: Score) -> str:
    return f"{score.mean:.3f}" if score.games else "no games"


def _percent(likelihood: float) -> str:
    return f"{min(max(likelihood, 0.001), 0.999):.1%}".replace("%", " %")

"""What a match of two entrants says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from results.record import GameRecord
from results.score import Score, distinct, score
from results.text import plain

__all__ = ["Match"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Scores of `one` against `two`: per seat, overall, and over the games that differ from each other."""

    one: str
    two: str
    as_first: Score
    as_second: Score
    overall: Score
    distinct: Score

    @classmethod
    def of(cls, records: Sequence[GameRecord], *, one: str, two: str) -> Self:
        """The match that these records are."""
        return cls(
            one=one,
            two=two,
            as_first=score((record for record in records if record.first.name == one), agent=one),
            as_second=score((record for record in records if record.second.name == one), agent=one),
            overall=score(records, agent=one),
            distinct=score(distinct(records), agent=one),
        )

    def text(self) -> str:
        """The match in three lines."""
        one, two, overall = plain(self.one, limit=40), plain(self.two, limit=40), self.overall
        same = overall.games == self.distinct.games
        return (
            f"{one} as first: {_mean(self.as_first)}, as second: {_mean(self.as_second)}\n"
            f"{one}: {overall.mean:.3f} vs. {two}: {1 - overall.mean:.3f}\n"
            f"{one}: {_count(overall.wins, 'win')}, {_count(overall.draws, 'draw')}, {overall.losses} lost; "
            f"± {self.distinct.error:.3f} (95 %); {_count(overall.games, 'game')}, "
            f"{'all' if same else self.distinct.games} distinct"
        )

    def as_dict(self) -> dict[str, object]:
        """The match as JSON says it."""
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
        }


def _mean(score: Score) -> str:
    return f"{score.mean:.3f}" if score.games else "no games"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""When a match has been played long enough: Wald's sequential probability ratio test. Pure."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from results.record import GameRecord
from results.standings.elo import ELO_PER_NAT, score_of
from results.standings.score import Mirrors
from results.text import counted, plain

__all__ = ["Model", "Sequential", "Sprt", "Verdict"]

Model: TypeAlias = Literal["logistic", "normalized"]
Verdict: TypeAlias = Literal["H0", "H1"]
#: Probabilities, each with its score.
_Chances: TypeAlias = Sequence[tuple[float, float]]

#: A result that never happened is counted this often, to avoid the logarithm of zero.
_RARE: Final = 1e-3
_CLOSE: Final = 1e-9
_STEP: Final = 0.125
_MOST: Final = 1000
#: After this many pairs, games that repeat each other will not decide the test.
_ENOUGH: Final = 20


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is the difference `elo0` (H0) or `elo1` (H1)? `alpha` and `beta` are the risks of a wrong H1 and a wrong H0.

    This is the generalized test: the likelihood of a hypothesis is that of the most likely distribution of results
    that agrees with it. Elo is that of the score (`logistic`), or of the score in standard deviations of a game
    (`normalized`).

    >>> test = Sprt(-1.75, 0.25, model="normalized")
    >>> test.text([10650, 20431, 10871], agent="ada")
    'Not decided yet (LLR 2.30, limits ±2.94; normalized Elo -1.75 and 0.25)'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        if not -_MOST <= self.elo0 < self.elo1 <= _MOST:
            raise ValueError(f"elo0 must be below elo1, both within ±{_MOST}, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta must lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")
        if self.model not in ("logistic", "normalized"):
            raise ValueError(f"the model must be logistic or normalized, not {self.model}")

    @property
    def lower(self) -> float:
        """H0 is accepted at this log likelihood ratio or below."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at this log likelihood ratio or above."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio of H1 to H0.

        `counts` are losses, draws and wins of games, or mirrored pairs by their points from 0 to 2.
        """
        if len(counts) not in (3, 5) or min(counts) < 0:
            raise ValueError("counts are three of games or five of pairs")
        if not any(counts):
            return 0.0
        weights = [count or _RARE for count in counts]
        total = math.fsum(weights)
        seen = [(weight / total, index / (len(counts) - 1)) for index, weight in enumerate(weights)]
        null, other = (self._likeliest(seen, elo) for elo in (self.elo0, self.elo1))
        return total * math.fsum(
            chance * math.log(chance1 / chance0)
            for (chance, _), chance0, chance1 in zip(seen, null, other, strict=True)
        )

    def verdict(self, counts: Sequence[int]) -> Verdict | None:
        """The hypothesis that is accepted; None while the match must go on."""
        return self._decide(self.llr(counts))

    def text(self, counts: Sequence[int], *, agent: str, undecided: str = "Not decided yet") -> str:
        """The state of the test in one line; `agent` is the one that may be stronger."""
        llr = self.llr(counts)
        weak, strong = _strength(self.elo0), _strength(self.elo1)
        outcome = {
            "H0": f"Decided: {agent} is closer to {weak} than to {strong}",
            "H1": f"Decided: {agent} is closer to {strong} than to {weak}",
            None: undecided,
        }[self._decide(llr)]
        limits = f"±{self.upper:.2f}" if self.alpha == self.beta else f"{self.lower:.2f} and {self.upper:.2f}"
        elo = f"{self.model} Elo {self.elo0:g} and {self.elo1:g}"
        return f"{outcome} (LLR {round(llr, 2) + 0.0:.2f}, limits {limits}; {elo})"

    def as_dict(self, counts: Sequence[int]) -> dict[str, object]:
        """The state of the test as JSON."""
        llr = self.llr(counts)
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "model": self.model,
            "llr": llr,
            "lower": self.lower,
            "upper": self.upper,
            "verdict": self._decide(llr),
        }

    def _decide(self, llr: float) -> Verdict | None:
        return "H1" if llr >= self.upper else "H0" if llr <= self.lower else None

    def _likeliest(self, seen: _Chances, elo: float) -> list[float]:
        if self.model == "logistic":
            score = score_of(elo)
            return _balanced([(chance, value - score) for chance, value in seen])
        # A pair is the mean of two games: its standard deviation is smaller by the root of two.
        return _standardized(seen, elo / (2 * ELO_PER_NAT) * math.sqrt(len(seen) // 2))


class Sequential:
    """The state of a test while the games of a match come in; `games` is the number of all games so far."""

    def __init__(self, test: Sprt, *, agent: str, records: Iterable[GameRecord] = ()) -> None:
        self._test = test
        self._agent = plain(agent, limit=40)
        self._mirrors = Mirrors(agent)
        self.games = 0
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> bool:
        """Add a game; returns whether to report the state of the test now."""
        self.games += 1
        before = self._mirrors.pairs
        self._mirrors.add(record)
        return before < self._mirrors.pairs and self._mirrors.pairs % _ENOUGH == 0

    def is_over(self) -> bool:
        """Whether no more games are needed, or more games would not help."""
        return self.repeats() or self._test.verdict(self._mirrors.counts) is not None

    def repeats(self) -> bool:
        """Whether the games repeat each other so much that they cannot decide the test."""
        return self._mirrors.pairs >= _ENOUGH and sum(self._mirrors.counts) < self._mirrors.pairs / 4

    def text(self) -> str:
        """The state of the test in one line."""
        return self._test.text(self._mirrors.counts, agent=self._agent)

    def outcome(self) -> str:
        """The same line when no more games follow."""
        undecided = f"Undecided after {counted(self.games, 'game')}"
        return self._test.text(self._mirrors.counts, agent=self._agent, undecided=undecided)

    def as_dict(self) -> dict[str, object]:
        """The state of the test as JSON."""
        return self._test.as_dict(self._mirrors.counts)


def _strength(elo: float) -> str:
    """A difference in Elo as a person says it.

    >>> _strength(50), _strength(-2.5), _strength(0)
    ('50 Elo stronger', '2.5 Elo weaker', '0 Elo')
    """
    return "0 Elo" if elo == 0 else f"{elo:g} Elo stronger" if elo > 0 else f"{-elo:g} Elo weaker"


def _standardized(seen: _Chances, deviations: float) -> list[float]:
    """The most likely probabilities whose mean is this many of their own standard deviations above one half."""
    chances = [1 / len(seen)] * len(seen)
    # In small steps from equal probabilities, whose mean is one half: a large step may have no solution.
    steps = math.ceil(abs(deviations) / _STEP) or 1
    for step in range(1, steps + 1):
        for _ in range(50):
            before, chances = chances, _linearized(seen, chances, deviations * step / steps)
            if max(abs(old - new) for old, new in zip(before, chances, strict=True)) < _CLOSE:
                break
    return chances


def _linearized(seen: _Chances, chances: Sequence[float], deviations: float) -> list[float]:
    """The most likely probabilities, with the condition made linear around the given ones."""
    mean = math.fsum(chance * value for chance, (_, value) in zip(chances, seen, strict=True))
    square = math.fsum(chance * (value - mean) ** 2 for chance, (_, value) in zip(chances, seen, strict=True))
    wanted = [0.5 + deviations * (square + (value - mean) ** 2) / (2 * math.sqrt(square)) for _, value in seen]
    return _balanced([(chance, value - want) for (chance, value), want in zip(seen, wanted, strict=True)])


def _balanced(seen: _Chances) -> list[float]:
    """The most likely probabilities under which the mean value is zero: `seen`, tilted by a Lagrange multiplier."""
    low, high = -1 / max(value for _, value in seen), -1 / min(value for _, value in seen)
    for _ in range(200):
        tilt = (low + high) / 2
        if tilt in (low, high):
            break
        if math.fsum(chance * value / (1 + tilt * value) for chance, value in seen) > 0:
            low = tilt
        else:
            high = tilt
    return [chance / (1 + tilt * value) for chance, value in seen]

"""Whether claimed values came true: what an agent claimed about its moves against how the games ended. Pure."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from results.record import ClaimedGame
from results.standings.elo import NORMAL_95

__all__ = ["Bin", "Calibration", "calibration"]

_BINS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Moves with claims of about one value: the average claim, and the score that the agent then made.

    `error` is half of the 95 % interval of the score. Moves of one game share its ending, so games are counted as
    independent, and not moves.
    """

    claimed: float
    score: float
    error: float
    moves: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How far the claims of an agent came true.

    `bias` is the average claim minus the average score: above 0 the agent hoped for too much. `brier` is the average
    squared difference of claim and score: 0 is perfect, and 0.25 is what a constant claim of one half makes if no game
    is drawn.
    """

    agent: str
    moves: int
    games: int
    bias: float
    brier: float
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    game: int
    value: float
    score: float


def calibration(games: Iterable[ClaimedGame]) -> list[Calibration]:
    """The calibration of each agent that claimed values, by the number of its claims."""
    found: dict[str, list[_Claim]] = defaultdict(list)
    for game in games:
        for claim in game.claims:
            if claim.value is not None:
                is_first = (claim.turn % 2 == 1) == (game.mover == "first")
                score = game.score_first if is_first else 1 - game.score_first
                found[game.first if is_first else game.second].append(_Claim(game.id, claim.value, score))
    return sorted((_calibration(agent, claims) for agent, claims in found.items()), key=lambda one: -one.moves)


def _calibration(agent: str, claims: Sequence[_Claim]) -> Calibration:
    binned: dict[int, list[_Claim]] = defaultdict(list)
    for claim in claims:
        binned[min(int(claim.value * _BINS), _BINS - 1)].append(claim)
    return Calibration(
        agent=agent, moves=len(claims), games=len({claim.game for claim in claims}),
        bias=_mean([claim.value - claim.score for claim in claims]),
        brier=_mean([(claim.value - claim.score) ** 2 for claim in claims]),
        bins=tuple(_bin(binned[number]) for number in sorted(binned)),
    )  # fmt: skip


def _bin(claims: Sequence[_Claim]) -> Bin:
    """The error is that of a mean over clusters, the games.

    An imaginary game won and one lost, each with as many claims as an average game, are added to the variance: a few
    games that all ended in the same way are evidence, not certainty.
    """
    score = _mean([claim.score for claim in claims])
    games: dict[int, float] = defaultdict(float)
    for claim in claims:
        games[claim.game] += claim.score - score
    each = len(claims) / len(games)
    imagined = [each * (1 - score), -each * score]
    squares = math.fsum(value * value for value in (*games.values(), *imagined))
    error = NORMAL_95 * math.sqrt(squares * len(games) / (len(games) + 2)) / len(claims)
    return Bin(
        claimed=_mean([claim.value for claim in claims]), score=score, error=min(error, 1.0), moves=len(claims),
        games=len(games),
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

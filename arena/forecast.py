"""What a league would do, and how long that would take, before anything is played."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena import knockout, schedule, swiss
from arena.plan import Plan
from results.pairing import Pairing

__all__ = ["Forecast", "duration", "forecast"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The pairings that are known beforehand, how many there will be, and the seconds that they take.

    `likely` is None if no such games were stored before.
    """

    pairings: tuple[Pairing, ...]
    games: int
    workers: int
    most: float
    likely: float | None

    def text(self) -> str:
        """The sum of it in one line."""
        later = self.games - sum(not pairing.is_bye for pairing in self.pairings)
        drawn = f" ({later} of them drawn later)" if later else ""
        likely = "" if self.likely is None else f" about {duration(self.likely)} going by stored games,"
        workers = f"{self.workers} worker{'s' if self.workers > 1 else ''}"
        return f"{self.games} games{drawn} on {workers}:{likely} at most {duration(self.most)} of thinking"


def forecast(plan: Plan, *, workers: int, paces: Mapping[tuple[str, str], float]) -> Forecast:
    """Look ahead. `paces` are the seconds that games of two agents, first and second, took before."""
    pairings = tuple(_known(plan))
    games = max(len(pairings), schedule.expected(plan.format, len(plan.entrants), plan.games))
    return Forecast(
        pairings=pairings, games=games, workers=workers, most=2 * plan.seconds * games / workers,
        likely=_likely(plan, pairings, games, paces, workers),
    )  # fmt: skip


def duration(seconds: float) -> str:
    """A length of time as people say it.

    >>> duration(3725)
    '1 h 2 min'
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _known(plan: Plan) -> Iterator[Pairing]:
    numbers = range(1, len(plan.entrants) + 1)
    if plan.format == "swiss":
        return iter(swiss.swiss(numbers, [], rounds=plan.games))
    if plan.format == "knockout":
        return iter(knockout.knockout(numbers, [], rounds=plan.games))
    pairings = schedule.gauntlet if plan.format == "gauntlet" else schedule.round_robin
    return pairings(numbers, rounds=plan.games)


def _likely(
    plan: Plan, pairings: tuple[Pairing, ...], games: int, paces: Mapping[tuple[str, str], float], workers: int
) -> float | None:
    """From games of the same two if there are any, else of one of them."""
    agents = [entrant.agent for entrant in plan.entrants]
    found = []
    for pairing in pairings:
        if not pairing.is_bye:
            two = {agents[pairing.first - 1], agents[pairing.second - 1]}
            near = max((len(two & set(pair)) for pair in paces), default=0)
            seconds = [pace for pair, pace in paces.items() if len(two & set(pair)) == near]
            if near:
                found.append(sum(seconds) / len(seconds))
    return sum(found) / len(found) * games / workers if found else None

"""The games of a league and how long they will take, before any of them is played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from arena.competition.plan import Plan
from arena.formats import knockout, swiss
from arena.formats.schedule import SCHEDULES, count_games
from results.pairing import BYE, RATED, Pairing
from results.standings import bracket
from results.text import counted

__all__ = ["Forecast", "duration", "forecast"]

#: The pace of a league whose pairings are not known is judged by this many.
_SAMPLE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The pairings that are known now, the number of games (None without a limit), and the seconds that they will take.

    `likely` is None if no similar games are stored. `extra` is the largest number of games that level ties of a
    knockout add: `most` includes them, `games` does not. `most` is None if the time grows with every move and the game
    has no turn limit.
    """

    pairings: tuple[Pairing, ...]
    games: int | None
    extra: int
    workers: int
    most: float | None
    likely: float | None

    def text(self) -> str:
        """The forecast in one line."""
        if self.games is None:
            return f"games without end on {counted(self.workers, 'worker')}; pairings depend on the results"
        later = self.games - sum(not pairing.is_bye for pairing in self.pairings)
        drawn = f" ({later} of them in rounds that are drawn later)" if later else ""
        least = "at least " if self.extra else ""
        likely = "" if self.likely is None else f" about {duration(self.likely)} (from stored games),"
        games, workers = counted(self.games, "game"), counted(self.workers, "worker")
        most = (
            "no upper limit, because every move adds time and the game has no turn limit"
            if self.most is None
            else f"at most {duration(self.most)} of thinking time"
        )
        return f"{least}{games}{drawn} on {workers}:{likely} {most}"


def forecast(plan: Plan, *, workers: int, paces: Mapping[tuple[str, str], float]) -> Forecast:
    """The forecast for a plan. `paces` are the mean seconds of stored games, by the agents first and second."""
    pairings = tuple(_known(plan))
    sizes = _sizes(plan)
    if sizes is None:
        return Forecast(pairings=(), games=None, extra=0, workers=workers, most=None, likely=None)
    extra = [2 * ties for ties in _ties(plan)] * bracket.MOST_EXTRA if plan.settings.format == "knockout" else []
    turns = plan.game.parameters.get("turns")
    each = plan.time_control.most(-(-int(turns) // 2) if turns else None)
    pace = _pace(plan, pairings or tuple(islice(_usual(plan), _SAMPLE)), paces)
    return Forecast(
        pairings=pairings, games=sum(sizes), extra=sum(extra), workers=workers,
        most=None if each is None else 2 * each * _in_a_row([*sizes, *extra], workers),
        likely=None if pace is None else pace * _in_a_row(sizes, workers),
    )  # fmt: skip


def duration(seconds: float) -> str:
    """A duration in hours and minutes, or in seconds if it is short.

    >>> duration(3725)
    '1 h 2 min'
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _usual(plan: Plan) -> Iterator[Pairing]:
    """Some pairings as they may come, where none is known."""
    return SCHEDULES["round-robin"](range(1, len(plan.entrants) + 1), rounds=1)


def _known(plan: Plan) -> Iterator[Pairing]:
    numbers = range(1, len(plan.entrants) + 1)
    if plan.settings.format in RATED:
        return iter(())
    if plan.settings.format == "swiss":
        return iter(swiss.swiss(numbers, [], rounds=plan.rounds))
    if plan.settings.format == "knockout":
        drawn = knockout.knockout(numbers, [], rounds=plan.rounds)
        playing = {number for pairing in drawn for number in (pairing.first, pairing.second)}
        byes = (Pairing(f"k1:{number}-bye", number, BYE, 0, "") for number in numbers if number not in playing)
        return chain(drawn, byes)
    return SCHEDULES[plan.settings.format](numbers, rounds=plan.rounds)


def _sizes(plan: Plan) -> list[int] | None:
    """The number of games of each round that has to wait for the results of the round before; None without an end."""
    if plan.settings.format == "ladder":
        return None if plan.settings.games is None else [plan.settings.games]
    if plan.settings.format == "swiss":
        return [len(plan.entrants) // 2] * plan.rounds
    if plan.settings.format == "knockout":
        return [2 * plan.rounds * ties for ties in _ties(plan)]
    return [count_games(plan.settings.format, len(plan.entrants), plan.rounds)]


def _ties(plan: Plan) -> Iterator[int]:
    """The number of ties in each round of a knockout; the first round leaves a power of two."""
    left = len(plan.entrants)
    while left > 1:
        winners = 1 << (left - 1).bit_length() - 1
        yield left - winners
        left = winners


def _in_a_row(sizes: Sequence[int], workers: int) -> int:
    """The number of games that the busiest worker plays."""
    return sum(-(-size // workers) for size in sizes)


def _pace(plan: Plan, pairings: tuple[Pairing, ...], paces: Mapping[tuple[str, str], float]) -> float | None:
    """Seconds per game: from games of the same two agents, or else from games of one of them."""
    agents = [entrant.agent for entrant in plan.entrants]
    found = []
    for pairing in pairings:
        if not pairing.is_bye:
            two = {agents[pairing.first - 1], agents[pairing.second - 1]}
            near = max((len(two & set(pair)) for pair in paces), default=0)
            seconds = [pace for pair, pace in paces.items() if len(two & set(pair)) == near]
            if near:
                found.append(sum(seconds) / len(seconds))
    return sum(found) / len(found) if found else None

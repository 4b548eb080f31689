"""What the last games of a league say: who does better than its rating, and who uses how much CPU. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, isfinite
from typing import Final

from results.pairing import RecentGame
from results.standings.elo import ELO_PER_NAT
from results.standings.ratings import Ratings

__all__ = ["RECENT_GAMES", "cpu_shares", "trends"]

#: The trend of an entrant is that of at most so many of its games.
RECENT_GAMES: Final = 20
#: The information of two imaginary draws, so that one surprise is not a trend.
_CAUTION: Final = 0.5


def trends(games: Sequence[RecentGame], ratings: Ratings) -> dict[str, float]:
    """By how many Elo each entrant did better in its last games than its rating; `games` are the newest first."""
    advantage = 0.0 if ratings.first_advantage is None else ratings.first_advantage.elo
    seen: Counter[str] = Counter()
    above: Counter[str] = Counter()
    information: Counter[str] = Counter()
    for game in games:
        first, second = ratings.of(game.first), ratings.of(game.second)
        if first is None or second is None:
            continue
        expected = 1 / (1 + exp((second.elo - first.elo - advantage) / ELO_PER_NAT))
        surprise = game.points - expected
        for name, gained in ((game.first, surprise), (game.second, -surprise)):
            if seen[name] < RECENT_GAMES:
                seen[name] += 1
                above[name] += gained  # type: ignore[assignment]
                information[name] += expected * (1 - expected)  # type: ignore[assignment]
    return {name: ELO_PER_NAT * above[name] / (information[name] + _CAUTION) for name in seen}


def cpu_shares(games: Sequence[RecentGame]) -> Mapping[str, float]:
    """The share of the CPU time of these games that each entrant used."""
    used: Counter[str] = Counter()
    for game in games:
        used[game.first] += game.cpu_first  # type: ignore[assignment]
        used[game.second] += game.cpu_second  # type: ignore[assignment]
    total = sum(used.values())
    # The file may come from anybody: moves can claim any time.
    return {name: seconds / total for name, seconds in used.items()} if total > 0 and isfinite(total) else {}

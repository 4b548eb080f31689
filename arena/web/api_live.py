"""The running games as answers of the API: boards, clocks, claims, win rates, progress messages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from arena.referee.live_sheet import LiveGame
from arena.web.api_answers import (
    HistoryPoint,
    PeriodicStatus,
    PromptMessage,
    PromptStatus,
    Running,
    RunningGame,
    SearchClaim,
    ThinkingBoard,
)
from arena.web.boards import Followed, claim_text
from results.record import GameSummary, Seat
from results.store.store import Store

__all__ = ["periodic_status", "prompt_status", "running", "win_rates"]

#: The newest games from which win rates are counted, and the points of each history.
_GAMES: Final = 2000
_POINTS: Final = 100
_SEATS: Final[tuple[Seat, Seat]] = ("first", "second")


def running(games: Sequence[LiveGame]) -> Running:
    """All running games."""
    return Running([_running(Followed(game)) for game in games])


def _running(followed: Followed) -> RunningGame:
    game, clocks = followed.game, cast("Mapping[str, Any]", followed.clocks())
    first, second = (_claim(game.claims.get(seat)) for seat in _SEATS)
    return RunningGame(
        id=game.id, league=game.league, key=game.key, game=game.game, first=game.first, second=game.second,
        start=game.start, moves=game.moves, board=followed.text(), first_left=clocks["clocks"][0],
        second_left=clocks["clocks"][1], running=clocks["running"], age=clocks["age"], first_claims=first,
        second_claims=second,
    )  # fmt: skip


def _claim(said: Mapping[str, Any] | None) -> SearchClaim | None:
    """A report as it stands in the file of the game; the referee has checked it."""
    if said is None:
        return None
    return SearchClaim(
        value=said.get("value"), depth=said.get("depth", 0), nodes=said.get("nodes", 0), line=said.get("line", []),
        visits=said.get("visits", {}), policy=said.get("policy", {}), text=said.get("text", ""),
    )  # fmt: skip


def periodic_status(store: Store, games: Sequence[LiveGame]) -> PeriodicStatus:
    """Boards with policy and visits, and the win rates of the league that is played or of the newest one."""
    league = store.league(games[0].league) if games else None
    league = league or store.latest(["league"]) or store.latest()
    rates = {} if league is None else win_rates(store.summaries(league.name, most=_GAMES))
    boards = [_thinking(Followed(game)) for game in games]
    return PeriodicStatus(league=None if league is None else league.name, boards=boards, win_rates=rates)


def _thinking(followed: Followed) -> ThinkingBoard:
    game, seat = followed.game, cast("Seat | None", followed.clocks()["running"])
    said = _claim(game.said[-1]) if game.said else None
    return ThinkingBoard(
        id=game.id, game=game.game, first=game.first, second=game.second, turn=len(game.moves),
        thinking={"first": game.first, "second": game.second, None: None}[seat], board=followed.text(),
        policy={} if said is None else said.policy, visits={} if said is None else said.visits,
        value=None if said is None else said.value,
    )  # fmt: skip


def win_rates(games: Sequence[GameSummary]) -> dict[str, list[HistoryPoint]]:
    """The points per game of each agent after each of its games, thinned to a hundred points."""
    found: dict[str, list[HistoryPoint]] = defaultdict(list)
    points: dict[str, float] = defaultdict(float)
    for game in games:
        for name, score in ((game.first, game.score_first), (game.second, 1 - game.score_first)):
            points[name] += score
            number = len(found[name]) + 1
            found[name].append(HistoryPoint(record=game.id, games=number, score=round(points[name] / number, 4)))
    return {name: _thinned(history) for name, history in sorted(found.items())}


def _thinned(history: list[HistoryPoint]) -> list[HistoryPoint]:
    stride = -(-len(history) // _POINTS)
    return history[::-1][::stride][::-1]


def prompt_status(games: Sequence[LiveGame]) -> PromptStatus:
    """What the searches say about the moves that they look for now."""
    return PromptStatus(
        [
            PromptMessage(
                id=game.id, agent=game.first if said["seat"] == "first" else game.second,
                seat=cast(Seat, said["seat"]), turn=len(game.moves) + 1, claim=claim_text(said),
                text=str(said.get("text", "")),
            )
            for game in games
            for said in game.said
        ]
    )  # fmt: skip

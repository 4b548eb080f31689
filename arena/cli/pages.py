"""The page of a record, with what only the arena knows of it."""

from functools import partial

from arena.competition.explanation import explain
from arena.process.charge import Charge, charged
from results.league import League
from results.pages.replay_page import replay_page
from results.record import GameRecord, MoveRecord

__all__ = ["record_page"]


def record_page(record: GameRecord, league: League | None, *, excluded: str | None = None) -> str:
    """The replay of a record: clocks as its league charged them, its end in a sentence."""
    charge = league.settings.get("clock") if league is not None else None
    cost = partial(_cost, charge if charge in ("fair", "cpu") else "wall")
    return replay_page(record, cost=cost, summary=explain(record).summary, excluded=excluded)


def _cost(charge: Charge, move: MoveRecord) -> float:
    return charged(charge, wall=move.wall, cpu=move.cpu, wait=move.wait)

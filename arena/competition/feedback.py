"""What a participant learns from a league: the games of one entrant, its losses explained, its slowest moves."""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from arena.competition.explanation import cost_of, explain
from arena.competition.gradebook import submission_of
from arena.entrants.submissions import Submissions
from results.league import Exclusion, League
from results.pages.agent_page import AgentGame, AgentReport, SlowMove
from results.record import GameRecord, Seat
from results.standings.table import rows
from results.store import utc
from results.store.leagues import entrant_number
from results.store.store import Store

__all__ = ["agent_report", "owners_of"]

_SLOWEST: Final = 10
#: The report is about so many games, the newest ones.
_GAMES: Final = 500


def owners_of(league: League, submissions: Submissions) -> dict[str, str]:
    """The owners of the entrants that were submitted, by the name of the entrant."""
    known = {(one.name, one.hash): one.owner for one in submissions.all_versions()}
    owners = {entrant.name: known.get((submission_of(entrant), entrant.hash), "") for entrant in league.entrants}
    return {name: owner for name, owner in owners.items() if owner}


def agent_report(store: Store, league: League, agent: str, *, owner: str = "") -> AgentReport:
    """The report about one entrant; raises `BadEntrants` if there is none of this name."""
    entrant = league.entrants[entrant_number(league, agent) - 1]
    exclusions = store.exclusions(league.name)
    games: list[AgentGame] = []
    shown: dict[str, int] = {}
    moves: list[SlowMove] = []
    newest = store.newest(league.name, agent=agent, limit=_GAMES)
    for number in reversed(newest.numbers):
        record = store.record(number)
        seat: Seat = "first" if record.first.name == entrant.name else "second"
        games.append(_game(record, seat, exclusions, shown))
        moves = heapq.nlargest(_SLOWEST, [*moves, *_moves(record, seat, league)], key=lambda move: move.seconds)
    row = next(row for row in rows(store, league, store.pairs(league.name)) if row.agent == entrant.name)
    return AgentReport(
        league=league, row=row, owner=owner, version=entrant.version if submission_of(entrant) else "",
        games=games, total=newest.total, slowest=moves, made=utc.stamp(utc.now()),
    )  # fmt: skip


def _game(record: GameRecord, seat: Seat, exclusions: Mapping[int, Exclusion], shown: dict[str, int]) -> AgentGame:
    assert record.id is not None
    score = record.score_first if seat == "first" else 1 - record.score_first
    opponent = record.second if seat == "first" else record.first
    exclusion = exclusions.get(record.id)
    return AgentGame(
        id=record.id, opponent=opponent.name, seat=seat, score=score, result=record.result,
        reason=record.reason if record.fault is None else f"{record.reason}: {record.fault.rule}",
        turns=record.turns, why=_why(record, shown) if score == 0 else "",
        excluded=exclusion.because if exclusion is not None else None,
    )  # fmt: skip


def _why(record: GameRecord, shown: dict[str, int]) -> str:
    """Why the game was lost. A traceback is printed once; `shown` has the records of those before."""
    assert record.id is not None
    found = explain(record)
    traceback = found.evidence.get("traceback", "")
    first = shown.setdefault(traceback, record.id) if traceback else record.id
    if first == record.id:
        return found.text()
    rest = {name: text for name, text in found.evidence.items() if name != "traceback"}
    return f"{replace(found, evidence=rest).text()}\n\nThe traceback is that of record {first}."


def _moves(record: GameRecord, seat: Seat, league: League) -> Iterator[SlowMove]:
    """The moves that the entrant itself made; those of the opening are not its own."""
    assert record.id is not None
    cost = cost_of(league)
    for index in range(len(record.opening), record.turns):
        if (index % 2 == 0) == (seat == record.mover):
            move = record.moves[index]
            yield SlowMove(id=record.id, turn=index + 1, move=move.text, seconds=cost(move))

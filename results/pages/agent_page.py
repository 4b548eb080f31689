"""The HTML page of one entrant of a league: its place, its games, its losses explained, its slowest moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from results.league import Departure, League
from results.pages.page import document, moment, result_text, section, shown, table
from results.record import Seat
from results.standings.table import Row
from results.text import counted

__all__ = ["AgentGame", "AgentReport", "SlowMove", "agent_page"]

_NAME: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGame:
    """A game of the entrant. `why` explains a loss, and is empty for other games; `excluded` as in `GameLine`."""

    id: int
    opponent: str
    seat: Seat
    score: float
    result: str
    reason: str
    turns: int
    why: str
    excluded: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowMove:
    """A move with the seconds that it cost on the clock."""

    id: int
    turn: int
    move: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReport:
    """The content of the page, and when it was made. `games` are the newest of `total` games."""

    league: League
    row: Row
    owner: str
    version: str
    games: Sequence[AgentGame]
    total: int
    slowest: Sequence[SlowMove]
    made: str

    @property
    def departure(self) -> Departure | None:
        """Why the entrant no longer plays."""
        return self.league.departures.get(self.row.agent)


def agent_page(report: AgentReport) -> str:
    """The page of one entrant."""
    agent, league = report.row.agent, report.league
    losses = [game for game in report.games if game.why]
    facts = [shown(league.name), *([f"version {shown(report.version)}"] if report.version else ()),
             *([f"by {shown(report.owner)}"] if report.owner else ())]  # fmt: skip
    body = [
        "<header>",
        f"<h1>{shown(agent, _NAME)}</h1>",
        f"<p>{', '.join(facts)}, as of {moment(report.made)}</p>",
        "</header>",
        "<main>",
        *section("Result", _result(report), name="result"),
        *section("Losses", _losses(losses), name="losses"),
        *section("Slowest moves", _slowest(report.slowest), name="slowest"),
        *section("Games", [_games(report)], name="games"),
        "</main>",
    ]
    return document(f"{agent} in {league.name}", body)


def _result(report: AgentReport) -> Iterator[str]:
    row = report.row
    yield (
        f"<p>Place {row.rank}: {row.points:g} {'point' if row.points == 1 else 'points'} in "
        f"{counted(row.games, 'game')} that count "
        f"({row.wins} won, {row.draws} drawn, {row.losses} lost, {row.faults} of them by a broken rule).</p>"
    )
    if (gone := report.departure) is not None:
        verdict = "still count" if gone.stands else "do not count"
        yield f"<p>It was {shown(gone.why)} ({shown(gone.detail, 500)}); its games {verdict}.</p>"


def _losses(losses: Sequence[AgentGame]) -> Iterator[str]:
    if not losses:
        yield "<p>It has not lost a game.</p>"
    for game in losses:
        yield f'<h3 id="record-{game.id}">Record {game.id}, against {shown(game.opponent, _NAME)}</h3>'
        yield f"<pre>{shown(game.why, 20_000, multiline=True)}</pre>"


def _slowest(moves: Sequence[SlowMove]) -> Iterator[str]:
    if not moves:
        yield "<p>It has not made a move of its own.</p>"
        return
    lines = [[str(move.id), str(move.turn), shown(move.move), f"{move.seconds:.3f}"] for move in moves]
    yield table("Its moves that cost the most time", ("record", "turn", "move", "seconds"), lines, words=["move"])


def _games(report: AgentReport) -> str:
    games = report.games
    lines = [
        [
            f'<a href="#record-{game.id}">{game.id}</a>' if game.why else str(game.id), shown(game.opponent, _NAME),
            game.seat, {1.0: "won", 0.0: "lost"}.get(game.score, "drawn"), result_text(game.result),
            shown(game.reason), str(game.turns), "" if game.excluded is None else f"excluded: {shown(game.excluded)}",
        ]
        for game in games
    ]  # fmt: skip
    headers = ("record", "opponent", "seat", "score", "result", "reason", "turns", "note")
    words = ["opponent", "seat", "score", "result", "reason", "note"]
    which = "All its games" if len(games) == report.total else f"The newest {len(games)} of its {report.total} games"
    return table(f"{which}, also those that do not count", headers, lines, words=words)

"""The answers of the API, as types: the published schema is derived from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from arena.competition.listing import ListedLeague
from games.base import Margin
from results.pairing import PairCount
from results.record import ClaimRecord, EntrantRecord, FaultRecord, Phase, Result, Seat
from results.standings.calibration import Calibration
from results.standings.ratings import Estimate
from results.standings.table import Row

__all__ = [
    "AgentList", "AgentName", "BriefFault", "BriefRecord", "CalibrationAnswer", "Entry", "HistoryPoint", "Index",
    "LeagueList", "PeriodicStatus", "Problem", "PromptMessage", "PromptStatus", "Record", "RecordList", "Running",
    "RunningGame", "SearchClaim", "StandingsAnswer", "ThinkingBoard",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a request, in one line."""

    error: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An address of the API and what it answers."""

    path: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """The addresses of the API; `schema` is that of this document's OpenAPI form."""

    arena: str
    schema: str
    addresses: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class LeagueList:
    """Leagues, matches and single games, the newest first."""

    leagues: Sequence[ListedLeague]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsAnswer:
    """The table of a league: its rows, best first, and the counts of results that it was computed from.

    `notes` are sentences about whose lead is certain and how many more games would settle the rest.
    """

    league: ListedLeague
    rows: Sequence[Row]
    pairs: Sequence[PairCount]
    first_advantage: Estimate | None
    notes: Sequence[str]


class BriefFault(TypedDict):
    """The rule that a player broke, when, and what happened."""

    player: Seat
    rule: str
    detail: str
    phase: Phase
    turn: int | None


class BriefRecord(TypedDict):
    """A stored game: who played, how it ended, its moves. `excluded` is the reason why it does not count."""

    id: int
    league: str
    key: str
    game: str
    parameters: Mapping[str, int | float | str]
    first: str
    second: str
    result: Result
    score_first: float
    reason: str
    detail: str
    margin: Margin | None
    fault: BriefFault | None
    turns: int
    moves: Sequence[str]
    seconds_first: float
    seconds_second: float
    seed: int
    start: str
    opening: Sequence[str]
    sandbox: str
    started: str
    ended: str
    excluded: str | None


class _Seats(TypedDict):
    """Both players with their code."""

    first: EntrantRecord
    second: EntrantRecord


class _MoveSeconds(TypedDict):
    """What a move took: wall-clock time, CPU time, and the time in which its player waited for a CPU."""

    wall: float
    cpu: float
    wait: float


class Record(TypedDict):
    """Everything about a stored game, as `arena show --json` prints it. Claims and outputs are the agents' words."""

    id: int
    league: str
    key: str
    game: str
    parameters: Mapping[str, int | float | str]
    first: str
    second: str
    result: Result
    score_first: float
    reason: str
    detail: str
    margin: Margin | None
    fault: FaultRecord | None
    turns: int
    moves: Sequence[str]
    seconds_first: float
    seconds_second: float
    seed: int
    start: str
    opening: Sequence[str]
    sandbox: str
    started: str
    ended: str
    excluded: str | None
    game_version: int
    entrants: _Seats
    seconds: float
    control: str
    mover: Seat
    unanswered: float
    dice: str
    startup_first: float
    startup_second: float
    seed_first: int
    seed_second: int
    move_seconds: Sequence[_MoveSeconds]
    claims: Sequence[ClaimRecord]
    notes: Sequence[FaultRecord]
    output_first: str
    output_second: str
    rules: str
    host: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RecordList:
    """Stored games, the newest first. `next` is the value of `before` that gives those after them; None at the end."""

    records: Sequence[BriefRecord]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentName:
    """An agent, and the leagues that it entered, the newest first."""

    name: str
    leagues: Sequence[str]


@dataclass(frozen=True, slots=True)
class AgentList:
    """The agents of the file, sorted by name."""

    agents: Sequence[AgentName]


@dataclass(frozen=True, slots=True)
class CalibrationAnswer:
    """For each agent that claimed values: whether they came true."""

    agents: Sequence[Calibration]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchClaim:
    """What an agent claims about its search: its own expected score, its line, how often it looked at each move."""

    value: float | None
    depth: int
    nodes: int
    line: Sequence[str]
    visits: Mapping[str, int]
    policy: Mapping[str, float]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningGame:
    """A game that is played now. `board` is its text; `age` are the seconds since its last turn.

    `running` is whose clock runs; None while the players start. The stream names games by the same `id`.
    """

    id: str
    league: str
    key: str
    game: str
    first: str
    second: str
    start: str
    moves: Sequence[str]
    board: str
    first_left: float
    second_left: float
    running: Seat | None
    age: float
    first_claims: SearchClaim | None
    second_claims: SearchClaim | None


@dataclass(frozen=True, slots=True)
class Running:
    """All games that are played now."""

    games: Sequence[RunningGame]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPoint:
    """The points per game of an agent after so many of its newest games; `record` is the last of them."""

    record: int
    games: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingBoard:
    """The board of a running game with the policy and the visits of the side that thinks; empty if it says nothing."""

    id: str
    game: str
    first: str
    second: str
    turn: int
    thinking: str | None
    board: str
    policy: Mapping[str, float]
    visits: Mapping[str, int]
    value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicStatus:
    """What a dashboard asks for again and again: running boards, and how the win rate of each agent went.

    `win_rates` are those of the league of the first running game, or of the newest league.
    """

    league: str | None
    boards: Sequence[ThinkingBoard]
    win_rates: Mapping[str, Sequence[HistoryPoint]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """A progress message of a search: the agent's words, if it says any, and its claim in one line."""

    id: str
    agent: str
    seat: Literal["first", "second"]
    turn: int
    claim: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptStatus:
    """The progress messages about the moves that are being searched now, the oldest first."""

    messages: Sequence[PromptMessage]

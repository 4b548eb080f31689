"""What happens while games are played: the events that the command line, a web page or a notebook shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from arena.referee.reports import AgentReport
from games.base import State
from results.record import GameRecord, Seat

__all__ = [
    "Event", "Finished", "GameStarted", "GameStored", "LeagueStarted", "Notice", "OnEvent", "Reported", "Summary",
    "TurnPlayed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeagueStarted:
    """A league is about to be played; `done` of its `total` games are already stored. A ladder may have no total."""

    league: str
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game starts. `start` is the position that the settings ask for; empty for the game's own."""

    key: str
    first: str
    second: str
    start: str


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A move was made, and the state after it; once before the first move, with `move` and `mover` None.

    So it is if a person has taken moves back; `taken_back` is their number.

    `clocks` are the seconds left. Only games that are played in this process send this event.
    """

    key: str
    turn: int
    move: str | None
    mover: Seat | None
    clocks: Mapping[Seat, float]
    state: State
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Reported:
    """What the player in a seat says about its search; only in games that are played in this process."""

    key: str
    seat: Seat
    report: AgentReport


@dataclass(frozen=True, slots=True)
class GameStored:
    """A game has ended and is stored; `done` of `total` games of the league are. A ladder may have no total."""

    done: int
    total: int | None
    record: GameRecord


@dataclass(frozen=True, slots=True)
class Notice:
    """Anything else that a person who watches should know."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How far a league is. `suspended` are the pairings that failed too often through our own fault, as text.

    With `is_resumed` the same call continues it; without, the same call with the league's name does.
    """

    league: str
    done: int
    total: int | None
    suspended: tuple[str, ...] = ()
    interrupted: bool = False
    is_resumed: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event: everything is played, or somebody interrupted."""

    summary: Summary


Event: TypeAlias = LeagueStarted | GameStarted | TurnPlayed | Reported | GameStored | Notice | Finished
OnEvent: TypeAlias = Callable[[Event], None]

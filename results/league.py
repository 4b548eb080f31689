"""A league as it is stored: its entrants, departures, awards, exclusions and void attempts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast

from results.pairing import Format
from results.record import EntrantRecord

__all__ = ["KINDS", "Absence", "Award", "Departure", "Exclusion", "Kind", "League", "VoidAttempt"]

#: `play` is a single game of `arena play`, `web` are the games of one table of the site.
Kind: TypeAlias = Literal["league", "benchmark", "play", "web"]
KINDS: Final[tuple[Kind, ...]] = ("league", "benchmark", "play", "web")


Absence: TypeAlias = Literal["withdrawn", "suspended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """An entrant that no longer plays. If `stands`, its games still count; otherwise they do not count."""

    why: Absence
    detail: str
    stands: bool
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """Points that an entrant gets for a pairing that is not played."""

    key: str
    entrant: str
    points: float
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Why a record does not count, and since when."""

    because: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """Who plays under which settings. Seeds are derived from the secret, which no agent ever sees.

    The secret is the seed of the user, if one was given. If that is short, everybody can guess it: then `dice` is a
    random secret for the seeds of players. Without a seed both are the same random text. `dice` is empty if the user's
    seed is long, and in leagues of earlier versions.
    The first `founders` entrants were there from the start; the others entered later. `ended` is the time at which a
    match by a sequential test came to its end; empty before, and for all other leagues.
    """

    id: int
    name: str
    kind: Kind
    created: str
    settings: Mapping[str, object]
    secret: str
    entrants: tuple[EntrantRecord, ...]
    founders: int = 0
    departures: Mapping[str, Departure] = field(default_factory=dict)
    dice: str = ""
    ended: str = ""

    @property
    def format(self) -> Format:
        """How the pairings are made."""
        usual: Format = "round-robin" if self.kind == "league" else "match"
        return cast(Format, self.settings.get("format", usual))

    @property
    def rounds(self) -> int:
        """The number of rounds; in a match, the number of games."""
        rounds = self.settings.get("rounds", 1)
        return rounds if isinstance(rounds, int) else 1

    @property
    def active(self) -> list[int]:
        """The numbers of the entrants that still play."""
        return [number for number, entrant in enumerate(self.entrants, 1) if entrant.name not in self.departures]

    @property
    def absent(self) -> dict[str, str]:
        """The entrants that no longer play, each with `withdrawn` or `suspended`."""
        return {name: departure.why for name, departure in self.departures.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidAttempt:
    """A game that failed without a fault of a player; it is played again."""

    league: str
    key: str
    reason: str
    detail: str
    at: str

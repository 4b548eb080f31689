"""A league as it is stored: who plays, who has left, what was given without a game, what did not count."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast

from results.pairing import Format
from results.record import EntrantRecord

__all__ = ["KINDS", "Absence", "Award", "Departure", "Exclusion", "Kind", "League", "VoidAttempt"]

Kind: TypeAlias = Literal["league", "benchmark", "play"]
KINDS: Final[tuple[Kind, ...]] = ("league", "benchmark", "play")


Absence: TypeAlias = Literal["withdrawn", "suspended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """An entrant that plays no more. Its games stand, or they count for nobody."""

    why: Absence
    detail: str
    stands: bool
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """Points that an entrant has without a game, for a pairing that nobody plays."""

    key: str
    entrant: str
    points: float
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Why and since when a record does not count."""

    because: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """Who plays under which settings. The secret makes seeds; no agent ever learns it.

    The first `founders` of the entrants were there from the start; the others have entered since.
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

    @property
    def format(self) -> Format:
        """How its pairings are found."""
        usual: Format = "round-robin" if self.kind == "league" else "match"
        return cast(Format, self.settings.get("format", usual))

    @property
    def rounds(self) -> int:
        """How many rounds it has; a match: games."""
        rounds = self.settings.get("rounds", 1)
        return rounds if isinstance(rounds, int) else 1

    @property
    def active(self) -> list[int]:
        """The numbers of the entrants that have not left."""
        return [number for number, entrant in enumerate(self.entrants, 1) if entrant.name not in self.departures]

    @property
    def absent(self) -> dict[str, str]:
        """Who has left, and how."""
        return {name: departure.why for name, departure in self.departures.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidAttempt:
    """A game that failed through no player's fault and was to be played again."""

    league: str
    key: str
    reason: str
    detail: str
    at: str

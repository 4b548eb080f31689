"""A league as it is stored, and the attempts of it that counted for nobody."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from results.record import EntrantRecord

__all__ = ["KINDS", "Kind", "League", "VoidAttempt"]

Kind: TypeAlias = Literal["league", "benchmark", "play"]
KINDS: Final[tuple[Kind, ...]] = ("league", "benchmark", "play")


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """Who plays under which settings. The secret makes seeds; no agent ever learns it."""

    id: int
    name: str
    kind: Kind
    created: str
    settings: Mapping[str, object]
    secret: str
    entrants: tuple[EntrantRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidAttempt:
    """A game that failed through no player's fault and was to be played again."""

    league: str
    key: str
    reason: str
    detail: str
    at: str

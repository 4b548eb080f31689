"""The formats of a league: who plays whom, as pure functions that yield pairings.

`schedule` holds the formats whose games are all known from the start: round robin, gauntlet and match. `swiss` and
`knockout` draw each round from the results of the rounds before, `ladder` pairs by ratings, which are never final. This
room imports no other room of `arena`.
"""

from typing import Final

from results.pairing import Format

__all__ = ["FORMATS"]

#: The formats that a league can have; a ladder has a command of its own.
FORMATS: Final[tuple[Format, ...]] = ("round-robin", "gauntlet", "swiss", "knockout", "adaptive")

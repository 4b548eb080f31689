"""The knockout: the loser of a tie is out. Pure."""

from collections.abc import Sequence

from results.pairing import Meeting, Pairing
from results.standings.bracket import Bracket

__all__ = ["knockout"]


def knockout(entrants: Sequence[int], past: Sequence[Meeting], *, rounds: int) -> list[Pairing]:
    """The next games, drawn from the settled games before them; empty when the knockout is over.

    Lower numbers are better seeds; 1 and 2 can only meet in the final. If the number of entrants is not a power of
    two, the best seeds start in the second round. A tie is `rounds` pairs of games with sides swapped. A level tie
    continues, one pair at a time. An entrant that leaves loses its tie; one that enters after the first draw does not
    play.
    """
    if not all(meeting.settled for meeting in past):
        raise ValueError("the next games can be drawn only when all earlier games are settled")
    return Bracket(entrants, past, rounds=rounds).due()

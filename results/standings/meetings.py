"""What became of the pairings that a league has drawn round by round."""

from results.league import League
from results.pairing import Meeting
from results.store.store import Store

__all__ = ["meetings"]


def meetings(store: Store, league: League) -> list[Meeting]:
    """All drawn pairings, oldest first; what was awarded without a game counts like a result."""
    drawn, settled = store.drawn(league.name), store.keys(league.name)
    scores = store.scores(league.name)
    firsts = {pairing.key: league.entrants[pairing.first - 1].name for pairing in drawn}
    for award in store.awards(league.name):
        scores[award.key] = award.points if award.entrant == firsts[award.key] else 1 - award.points
    return [Meeting(pairing, scores.get(pairing.key), settled=pairing.key in settled) for pairing in drawn]

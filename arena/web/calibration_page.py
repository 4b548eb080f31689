"""The page that says whether the values that agents claimed came true."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.web.pages import agent_link, league_link, part
from arena.web.shell import Visit, framed, link
from results.pages.curve import CurveMark, Series, curve
from results.pages.page import section, shown, table
from results.standings.calibration import Calibration, calibration
from results.store.store import Store

__all__ = ["CLAIMED_GAMES", "calibration_page"]

#: The newest games with claims that are looked at.
CLAIMED_GAMES: Final = 2000
_DRAWN: Final = 6
_LISTED: Final = 50
_LEAGUES: Final = 30


def calibration_page(store: Store, visit: Visit, league: str | None) -> str:
    """Claimed values against scores, in one league or in all of them."""
    text = visit.words
    found = calibration(store.claimed(league, most=CLAIMED_GAMES))
    where = text["all_leagues"] if league is None else f"{text['league']}: {league_link(league)}"
    body = [
        '<main id="content">',
        f"<h1>{text['calibration']}</h1>",
        f"<p>{text['about_calibration']}</p>",
        f"<p>{where}</p>",
        *part("calibration", list(_drawn(found, visit))),
        *section(text["leagues"], _leagues(store, visit)),
        "</main>",
    ]
    return framed(visit, text["calibration"], body)


def _drawn(found: Sequence[Calibration], visit: Visit) -> Iterator[str]:
    text = visit.words
    if not found:
        yield f"<p>{text['no_claims']}</p>"
        return
    perfect = Series(text["perfect"], (CurveMark(0.0, 0.0), CurveMark(1.0, 1.0)))
    series = [
        Series(one.agent, tuple(CurveMark(at.claimed, at.score, at.error) for at in one.bins)) for one in found[:_DRAWN]
    ]
    yield curve([perfect, *series], title=text["calibration"], x_label=text["claimed_value"], y_range=(0.0, 1.0))
    rows = [
        [agent_link(one.agent), str(one.moves), str(one.games), f"{one.bias:+.3f}", f"{one.brier:.3f}"]
        for one in found[:_LISTED]
    ]
    headers = [text["agent"], text["moves"], text["games"], text["bias"], "Brier"]
    yield table(text["about_brier"], headers, rows, words=headers[:1])
    for one in found[:_DRAWN]:
        yield f"<h2>{shown(one.agent, 60)}</h2>"
        lines = [
            [f"{at.claimed:.3f}", f"{at.score:.3f} ± {at.error:.3f}", str(at.moves), str(at.games)] for at in one.bins
        ]
        names = [text["claimed_value"], text["score"], text["moves"], text["games"]]
        yield table(f"{shown(one.agent, 60)}: {text['about_bins']}", names, lines)


def _leagues(store: Store, visit: Visit) -> Iterator[str]:
    """Leagues whose games hold claims are those that were played with `--reports`."""
    names = [league.name for league in store.leagues()[::-1] if league.settings.get("reports")]
    yield f"<p>{link('/calibration', visit.words['all_leagues'])}</p><ul>"
    yield from (f"<li>{link('/calibration', shown(name, 60), league=name)}</li>" for name in names[:_LEAGUES])
    yield "</ul>"

"""Ladders: leagues without end, their seasons, and the final of the best.

The functions print nothing. Events are sent to `on_event`; the result is returned.
"""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.competition import league_file, values
from arena.competition.arguments import agent_list, check_value, with_copied_game
from arena.competition.events import OnEvent, Summary
from arena.competition.forecast import Forecast
from arena.competition.league_file import LeagueFile
from arena.competition.listing import listed_league
from arena.competition.outcome import LeagueResult
from arena.competition.plan import Plan, make_plan, open_results
from arena.competition.progress import default_progress
from arena.competition.resume import check_trusted, stored_plan, with_limits
from arena.competition.run import Run, check_people, entrants_of, forecast_of
from arena.competition.settings import Settings, read
from arena.entrants.entrant import Agent, Entrant
from arena.entrants.recall import recalled
from arena.entrants.staging import home
from arena.errors import BadSettings
from games.base import load_stored
from results.api import Results
from results.errors import NoLeague
from results.league import League
from results.standings.table import table
from results.store.store import Store

__all__ = ["LadderResult", "ladder", "schedule", "season_name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderResult:
    """A ladder as it is stored now, and its final if one was played."""

    ladder: LeagueResult
    final: LeagueResult | None

    def __str__(self) -> str:
        return "\n\n".join(str(part) for part in (self.ladder, self.final) if part is not None)


def season_name(name: str, season: int) -> str:
    """The name under which a season of a ladder is stored; the first one has the ladder's own.

    >>> season_name("club", 1), season_name("club", 2)
    ('club', 'club-season-2')
    """
    return name if season == 1 else f"{name}-season-{season}"


def ladder(
    agents: Iterable[Agent] = (), *, name: str, config: str | Path | LeagueFile | None = None,
    db: str | Path = "arena.db", season: int = 1, hours: float | None = None, final: int | None = None,
    final_rounds: int = 1, on_event: OnEvent | None = None, trust_file: bool = False,
    now: Callable[[], float] = time.monotonic, **options: Any,
) -> LadderResult:  # fmt: skip
    """Play a ladder of these agents and of those in the league file `config`; continue it if it is stored.

    It ends after `hours`, at its limit of `games`, or with `until="settled"` when the order is settled; else it goes on
    until it is interrupted. Without agents it goes on as it is stored; a `season` that is not stored yet begins with
    the entrants of the one before. At its end the `final` best play a round robin, a league of its own. One that was
    interrupted is finished first, and the ladder goes on in the next call.
    """
    _check(hours=hours, final=final, final_rounds=final_rounds)
    end = math.inf if hours is None else now() + 3600 * hours
    plan = _plan(agents, config, options, name=name, season=season, db=db, trust_file=trust_file)
    with default_progress(on_event) as report, open_results(db, plan) as store:
        ladder_name = plan.settings.name or ""
        if final is not None and hours is None and not _has_end(store, ladder_name, plan):
            raise BadSettings("a final needs an end of the ladder: give games, hours or until as well")
        before = _games(store, ladder_name)
        if final is not None and (begun := _last_final(store, ladder_name)) and _is_open(store, begun):
            summary = Summary(league=ladder_name, done=before, total=None)
        else:
            run = Run(store=store, plan=plan, on_event=report, is_resumed=True)
            summary = run.on_workers(is_over=lambda: now() >= end)
        played = LeagueResult.read(store, summary, Results(store).standings(summary.league))
        if final is None or summary.suspended:
            return LadderResult(ladder=played, final=None)
        last = _last_final(store, ladder_name) if summary.done == before else None
        if last is not None:
            deciding = stored_plan(last, {"name": last.name}, home=home(), trust_file=trust_file)
        else:
            deciding = _final_plan(store, plan, final, final_rounds, trust_file=trust_file)
        summary = Run(store=store, plan=deciding, on_event=report, is_resumed=True).on_workers()
        standings = Results(store).standings(summary.league)
        return LadderResult(ladder=played, final=LeagueResult.read(store, summary, standings))


def schedule(
    agents: Iterable[Agent] = (), *, name: str, config: str | Path | LeagueFile | None = None,
    db: str | Path = "arena.db", season: int = 1, **options: Any,
) -> tuple[Plan, Forecast]:  # fmt: skip
    """What `ladder` would play, and how long it may take, judged by the games stored in the results file."""
    plan = _plan(agents, config, options, name=name, season=season, db=db, trust_file=False)
    return plan, forecast_of(plan, db)


def _check(*, hours: float | None, final: int | None, final_rounds: int) -> None:
    if hours is not None:
        check_value("hours", values.SECONDS, hours)
    if final is not None:
        check_value("final", values.whole(least=2), final)
    check_value("final_rounds", values.whole(least=1, most=values.MOST_ROUNDS), final_rounds)


def _has_end(store: Store, name: str, plan: Plan) -> bool:
    """Whether the settings, or those that are stored, let the ladder end."""
    stored = store.league(name)
    settings = plan.settings if stored is None else with_limits(plan.settings, Settings.restored(stored.settings))
    return (settings.games, settings.until) != (None, None)


def _games(store: Store, name: str) -> int:
    return 0 if store.league(name) is None else store.count(name, departed=True)


def _plan(
    agents: Iterable[Agent], config: str | Path | LeagueFile | None, options: dict[str, Any], *, name: str,
    season: int, db: str | Path, trust_file: bool,
) -> Plan:  # fmt: skip
    check_value("season", values.whole(least=1), season)
    options = {**options, "name": season_name(name, season)}
    if config is None and not (agents := agent_list(agents)):
        with Store.read(db) as store:
            stored = store.league(options["name"])
            if stored is not None:
                _check_ladder(stored)
                return stored_plan(stored, options, home=home(), trust_file=trust_file)
            return _next_season(store, name, season, options, trust_file=trust_file)
    file = config if isinstance(config, LeagueFile) else league_file.load(str(config)) if config else LeagueFile({})
    for word in ("format", "rounds"):
        if word in file.settings or word in options:
            raise BadSettings(f"a ladder has no {word}; leave it out")
    entrants = entrants_of(agent_list(agents), lines=file.entrants)
    if len(entrants) < 2:
        raise BadSettings("a ladder needs at least two entrants to begin; name agents or a league file")
    check_people(entrants, "a ladder")
    settings = Settings.of(with_copied_game({**file.settings, **options}))
    return make_plan("league", entrants, replace(settings, format="ladder", trust_file=trust_file))


def _check_ladder(stored: League) -> None:
    if stored.format != "ladder":
        raise BadSettings(f"{stored.name} is not a ladder but a league ({stored.format}): arena league continues it")


def _next_season(store: Store, name: str, season: int, options: dict[str, Any], *, trust_file: bool) -> Plan:
    """A new season: the entrants that still play in the one before, best first, with the code that they have now."""
    before = store.league(season_name(name, season - 1)) if season > 1 else None
    if before is None:
        raise NoLeague(f"no ladder called {season_name(name, max(season - 1, 1))!r} in {store.path}; name its agents")
    _check_ladder(before)
    settings = Settings.restored(before.settings)
    check_trusted(settings, trust_file=trust_file)
    load_stored(settings.game)
    try:
        changes = read(options, underscores=True)
    except ValueError as error:
        raise BadSettings(str(error)) from error
    settings = replace(settings, games=None, until=None, extended=None, trust_file=trust_file)
    entrants = _best(store, before, len(before.active), trust_file=trust_file)
    return make_plan("league", entrants, replace(settings, **changes))


def _best(store: Store, league: League, count: int, *, trust_file: bool) -> tuple[Entrant, ...]:
    """The best entrants that still play, made ready with their present code."""
    names = {entrant.name: entrant for entrant in league.entrants if entrant.name not in league.departures}
    order = [row.agent for row in table(store, league).rows if row.agent in names]
    return tuple(recalled(names[name], home=home(), trust_file=trust_file) for name in order[:count])


def _final_name(ladder: str, number: int) -> str:
    return f"{ladder}-final" if number == 1 else f"{ladder}-final-{number}"


def _finals(store: Store, ladder: str) -> list[League]:
    """The stored finals of a ladder, oldest first."""
    found: list[League] = []
    while (stored := store.league(_final_name(ladder, len(found) + 1))) is not None:
        found.append(stored)
    return found


def _last_final(store: Store, ladder: str) -> League | None:
    return next(reversed(_finals(store, ladder)), None)


def _is_open(store: Store, final: League) -> bool:
    return listed_league(store, final).state != "finished"


def _final_plan(store: Store, plan: Plan, final: int, rounds: int, *, trust_file: bool) -> Plan:
    """A new final: a round robin of the best that still play."""
    name = plan.settings.name or ""
    entrants = _best(store, store.known(name), final, trust_file=trust_file)
    if len(entrants) < 2:
        raise BadSettings(f"{name} has fewer than two entrants left; there is no final")
    settings = replace(
        plan.settings, name=_final_name(name, len(_finals(store, name)) + 1), format="round-robin", rounds=rounds,
        games=None, until=None, extended=None,
    )  # fmt: skip
    return make_plan("league", entrants, settings)

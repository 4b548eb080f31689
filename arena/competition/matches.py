"""Playing games: `arena.play`, `arena.benchmark`, `arena.match` and `arena.league`.

These functions print nothing. Events are sent to `on_event`; the result is returned. They can be interrupted: every
finished game is stored. The same call continues a league, and with `name` also a benchmark or a match.

An agent is a text as on the command line (`"mcts:simulations=50"`), a path, a class, or a mapping with the keys of an
entrant in a league file: `{"agent": MyAgent, "options": {"depth": 3}, "name": "deep"}`. That is how a class gets
options: they are passed to its constructor.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

from arena.competition import values
from arena.competition.arguments import at_levels, check_value, read_sprt, settings_for
from arena.competition.events import Event, GameStored, Notice, OnEvent
from arena.competition.outcome import BenchmarkResult, MatchResult
from arena.competition.plan import (
    make_plan,
    open_results,
)
from arena.competition.progress import default_progress
from arena.competition.run import Players, Run, check_people, entrants_of
from arena.competition.settings import Group
from arena.entrants.entrant import Agent
from arena.errors import BadSettings, Void
from results.api import PlayedGame, Results
from results.standings.match import Match
from results.standings.sprt import Sequential, Sprt

__all__ = ["benchmark", "match", "play"]

#: The most games that a stored match can have. How many are wanted is not stored, so that a match can be continued.
_MOST_GAMES: Final = 100_000
_DEFAULT_GAMES: Final = 20_000
_MATCH: Final[tuple[Group, ...]] = ("name", "game", "run", "workers")


def play(
    first: Agent, second: Agent, *, db: str | Path = "arena.db", on_event: OnEvent | None = None,
    players: Players | None = None, **options: Any,
) -> PlayedGame:  # fmt: skip
    """Play one game, store it, and return it. Raises `Void` if we failed to play it.

    `options` are the options of `arena play`, which are fields of `Settings`: `game`, `time`, `turns`, `seed`, ….
    """
    settings = replace(
        settings_for("play", options, "name", "game", "run"), format="match", rounds=1, suspend_after=None
    )
    entrants = entrants_of([first, second])
    if players is None and any(entrant.is_human for entrant in entrants):
        raise BadSettings("a person plays at a terminal, with `arena play`")
    plan = make_plan("play", entrants, settings)
    with open_results(db, plan) as store:
        run = Run(store=store, plan=plan, on_event=on_event or _ignore)
        summary = run.here(players)
        if summary.suspended:
            raise Void("we failed to play this game")
        return Results(store).games(summary.league)[-1]


def benchmark(
    one: Agent, two: Agent, *, games: int = 20, levels: Sequence[int] = (), db: str | Path = "arena.db",
    on_event: OnEvent | None = None, **options: Any,
) -> BenchmarkResult:  # fmt: skip
    """Play a match of a fixed number of games; with `levels`, against Stockfish at each of these levels.

    `options` are the options of `arena benchmark`, which are fields of `Settings`: `game`, `time`, `turns`, ….
    """
    settings = replace(settings_for("benchmark", options, *_MATCH), suspend_after=None)
    check_value("games", values.whole(least=1, most=_MOST_GAMES), games)
    if levels:
        if games % 2:
            raise BadSettings(f"against several levels the number of games must be even, not {games}")
        settings = replace(settings, format="gauntlet", rounds=games // 2)
        entrants = entrants_of([one, *at_levels(two, levels)])
    else:
        settings = replace(settings, format="match", rounds=games)
        entrants = entrants_of([one, two])
    check_people(entrants, "a benchmark")
    plan = make_plan("benchmark", entrants, settings)
    with default_progress(on_event) as report, open_results(db, plan) as store:
        summary = Run(store=store, plan=plan, on_event=report).on_workers()
        found = store.known(summary.league)
        return BenchmarkResult.read(store, found, summary)


def match(
    one: Agent, two: Agent, *, sprt: tuple[float, float] | Sprt, games: int = _DEFAULT_GAMES,
    db: str | Path = "arena.db", on_event: OnEvent | None = None, **options: Any,
) -> MatchResult:  # fmt: skip
    """Play until a sequential test has decided whether `one` is elo0 or elo1 better than `two`, or after `games`.

    `sprt` is `(elo0, elo1)`, or for other risks of an error `arena.Sprt(elo0, elo1, alpha=0.01, beta=0.01)`, which also
    takes the `model`. `options` are the options of `arena match`, which are fields of `Settings`.
    """
    test = read_sprt(sprt)
    settings = settings_for("match", options, *_MATCH)
    check_value("games", values.whole(least=2, most=_MOST_GAMES), games)
    entrants = entrants_of([one, two])
    check_people(entrants, "a match")
    settings = replace(settings, format="match", rounds=_MOST_GAMES, suspend_after=None, sprt=test)
    plan = make_plan("benchmark", entrants, settings)
    names = [entrant.name for entrant in entrants]
    with default_progress(on_event) as report, open_results(db, plan) as store:
        is_stored = settings.name is not None and store.league(settings.name) is not None
        known = store.counted(cast(str, settings.name)) if is_stored else ()
        course = Sequential(test, agent=names[0], records=known)
        run = Run(store=store, plan=plan, prefix="match", most=games, on_event=_counting(course, games, report))
        summary = run.on_workers(is_over=_end(course, games))
        if course.is_over() or course.games >= games:
            store.end(summary.league)
        found = Match.of(list(store.counted(summary.league)), one=names[0], two=names[1])
    return MatchResult(db=store.path, summary=summary, match=found, course=course)


def _end(course: Sequential, most: int) -> Callable[[], bool]:
    """Says before each game whether the match is over. Running games count, so that there are never too many."""
    started = count(course.games)
    return lambda: course.is_over() or next(started) >= most


def _counting(course: Sequential, most: int, on_event: OnEvent) -> OnEvent:
    """Adds each game to the sequential test before its event is passed on; now and then, a notice with its state."""

    def report(event: Event) -> None:
        is_time = False
        if isinstance(event, GameStored):
            is_time = course.add(event.record)
            event = replace(event, done=course.games, total=most)
        on_event(event)
        if is_time:
            on_event(Notice(course.text()))

    return report


def _ignore(_event: Event) -> None:
    pass

"""A league before its first game: settings checked against the game, entrants that fit it, and the stored league.

A plan is stored as a new league, or continues a stored one that does not differ from it.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.competition.seeds import derive, secrets_of
from arena.competition.settings import Settings
from arena.competition.stages import remember_results
from arena.entrants.entrant import Entrant, fitted
from arena.entrants.grants import check_installed
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.errors import BadSettings
from arena.execution.executor import check_count
from arena.formats import swiss
from arena.process.charge import Charge
from arena.referee import openings
from arena.referee.openings import Opening
from arena.referee.referee import Job
from arena.referee.task import GameTask
from arena.sandbox.launch import check_hidden
from games.base import Game, join_parameters, load, split_parameters
from results.errors import LeagueExists
from results.league import Kind, League
from results.pairing import Pairing
from results.store.store import Store
from results.text import plain
from results.time_control import TimeControl

__all__ = [
    "Plan", "changed_agents", "default_name", "differences_from", "fit", "is_unnamed", "make_plan",
    "open_league", "open_results", "other_game",
]  # fmt: skip

#: Characters of the hash in the name of a league that was given none.
_DIGEST: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a league will be. Nothing in its settings depends on a default any more."""

    kind: Kind
    game: Game
    entrants: tuple[Entrant, ...]
    settings: Settings
    #: The parameters of the game that were given; all others are defaults.
    given: frozenset[str] = frozenset()

    @property
    def rounds(self) -> int:
        """Number of rounds; in a match, of games."""
        assert self.settings.rounds is not None
        return self.settings.rounds

    @property
    def time_control(self) -> TimeControl:
        """The time of each player in each game."""
        if self.settings.move_time is not None:
            return TimeControl(self.settings.move_time, is_per_move=True)
        assert self.settings.time is not None
        return self.settings.time

    def task(
        self, league: League, pairing: Pairing, *, first: Entrant, second: Entrant,
        charge: Charge | None = None,
    ) -> GameTask:  # fmt: skip
        """One game of the league, with seeds derived from the league's secrets."""
        control, opening = self.time_control, self.opening_of(league, pairing)
        is_hidden = bool(league.dice) and (league.dice == league.secret or not (first.is_trusted and second.is_trusted))
        dice = league.dice if is_hidden else league.secret
        job = Job(
            league=league.name, key=pairing.key, game=self.game, seconds=control.seconds,
            control=None if control.is_plain else control,
            first=first.record(), second=second.record(), start=opening.start, opening=opening.moves,
            seed=derive(league.secret, "opening", pairing.opening),
            seed_first=derive(dice, pairing.key, "first"), seed_second=derive(dice, pairing.key, "second"),
            dice="secret" if is_hidden else "seed",
        )  # fmt: skip
        return GameTask(
            job=job, first=first, second=second, charge=charge or self.settings.clock, reports=self.settings.reports,
            start_seed=derive(league.secret, "start", pairing.opening), opening_turns=self.settings.opening_turns,
            adjudication=self.settings.adjudication,
        )  # fmt: skip

    def opening_of(self, league: League, pairing: Pairing) -> Opening:
        """The start position and the moves that the settings ask for; random moves may follow."""
        book = self.settings.openings
        if not book:
            return Opening(self.settings.position or "")
        assert isinstance(book, tuple)
        number = pairing.round  # by round, so that everybody has met from every position when the list is used up
        if self.settings.format == "knockout":  # where one round has several pairs of games
            number += int(pairing.opening.rpartition(":")[2])
        return openings.nth(
            book, number, order=self.settings.opening_order,
            seed=lambda run: derive(league.secret, "order", str(run)),
        )  # fmt: skip


def make_plan(kind: Kind, entrants: tuple[Entrant, ...], settings: Settings) -> Plan:
    """Check the settings against the game, replace every default, and fit the entrants to the game."""
    if sys.platform != "linux":
        _check_without_linux(kind, entrants, settings)
    if settings.workers is not None:
        check_count(settings.workers)
    game = _game(settings)
    check_installed(settings.needs, where="needs")
    if settings.position is not None and settings.openings:
        raise BadSettings("position and openings exclude each other; leave one out")
    start = game.start() if settings.position is None else openings.open_position(game, settings.position)
    openings.seeded(start, turns=settings.opening_turns, seed=0)  # raises if no opening can be that long
    if settings.format != "ladder" and (settings.games, settings.until) != (None, None):
        raise BadSettings("games and until are settings of a ladder (`arena ladder`), not of other leagues")
    book = _book(settings.openings, game)
    entrants = tuple(fit(entrant, game, replace(settings, openings=book)) for entrant in entrants)
    resolved = replace(
        settings,
        game=join_parameters(game.name, game.parameters),
        game_version=game.version,
        turns=None,
        rounds=_rounds(settings, len(entrants)),
        time=_time(settings, game),
        openings=book,
        position=start.text if settings.position is not None else None,
    )
    given = frozenset(split_parameters(settings.game)[1])
    return Plan(kind=kind, game=game, entrants=entrants, settings=resolved, given=given)


def fit(entrant: Entrant, game: Game, settings: Settings) -> Entrant:
    """The entrant as it plays under settings whose openings are read; raises if it cannot start like this."""
    book = settings.openings or ()
    assert not isinstance(book, Path)
    return fitted(
        entrant, game, opening_turns=max([settings.opening_turns, *(len(opening.moves) for opening in book)]),
        has_positions=settings.position is not None or any(opening.start for opening in book),
    )  # fmt: skip


def _check_without_linux(kind: Kind, entrants: tuple[Entrant, ...], settings: Settings) -> None:
    """Raise `BadSettings` for what only Linux can do: all but a single game of trusted agents in this process."""
    if settings.rules is not None or kind != "play":
        raise BadSettings(
            f"leagues and agents that are not trusted need Linux, and this is {sys.platform}: use WSL2, a container or "
            "a virtual machine (see arena/README.md); a single game of agents that you trust: `play` with trust-agents"
        )
    if engine := next((entrant.name for entrant in entrants if entrant.protocol), ""):
        raise BadSettings(f"{engine} is an engine, and engines play only on Linux; this is {sys.platform}")
    if settings.clock == "cpu":
        raise BadSettings(f"the clock cpu needs Linux, and this is {sys.platform}: leave --clock out")


def _game(settings: Settings) -> Game:
    game = load(settings.game)
    if settings.turns is None:
        return game
    if "turns" not in game.parameters:
        raise BadSettings(f"{game.name} has no turn limit; leave turns out")
    name, parameters = split_parameters(settings.game)
    return load(join_parameters(name, parameters | {"turns": settings.turns}))


def _time(settings: Settings, game: Game) -> TimeControl | None:
    if settings.move_time is None:
        return settings.time or TimeControl(game.seconds)
    if settings.time is not None:
        raise BadSettings("time and move-time exclude each other; leave one out")
    return None


def _rounds(settings: Settings, entrants: int) -> int:
    if settings.format != "swiss":
        return settings.rounds or 1
    rounds = settings.rounds or swiss.swiss_rounds(entrants)
    swiss.check_swiss(entrants, rounds)
    return rounds


def _book(given: Path | tuple[Opening, ...] | None, game: Game) -> tuple[Opening, ...] | None:
    if isinstance(given, Path):
        return openings.read(given, game)
    return tuple(openings.checked(opening, game) for opening in given) if given else None


def is_unnamed(name: str, plan: Plan) -> bool:
    """Whether `default_name` has made this name for a league of this game."""
    prefix, _, digest = name.rpartition("-")
    return prefix == plan.game.name and len(digest) == _DIGEST and set(digest) <= set("0123456789abcdef")


def default_name(plan: Plan) -> str:
    """A name made of the settings and agents, so that different leagues in one file have different names."""
    agents = [(entrant.name, "" if entrant.is_bundled else entrant.hash) for entrant in plan.entrants]
    content = json.dumps([plan.settings.stored(), agents, plan.settings.seed], sort_keys=True)
    return f"{plan.game.name}-{hashlib.sha256(content.encode()).hexdigest()[:_DIGEST]}"


def open_results(db: str | Path, *plans: Plan) -> Store:
    """Open or create the results file of these plans; `BadSettings` if players could read it."""
    for plan in plans:
        if plan.settings.rules is not None and "\0" not in str(db):  # such a name is refused below
            places = {"the results file (--db)": Path(str(db)), "the folder of agents ($ARENA_HOME)": home()}
            granted = [place for entrant in plan.entrants for place in entrant.grants.read]
            check_hidden(places, game=join_parameters(plan.game.name, plan.game.parameters), granted=granted)
    store = Store.open(db, create=True)
    if any(entrant.is_staged for plan in plans for entrant in plan.entrants):
        remember_results(home(), store.path)
    return store


def open_league(store: Store, name: str, plan: Plan) -> League:
    """The league of this name: created now, or the stored one if it has the same settings and agents."""
    stored = store.league(name)
    if stored is None:
        secret, dice = secrets_of(plan.settings.seed)
        entrants = [entrant.record() for entrant in plan.entrants]
        settings = plan.settings.stored()
        try:
            return store.create_league(
                name, kind=plan.kind, settings=settings, secret=secret, entrants=entrants, dice=dice
            )
        except LeagueExists:  # another thread or process has just created it
            stored = store.known(name)
    if differences := list(differences_from(stored, plan)):
        raise BadSettings(
            f"league {name!r} is stored with different settings: {'; '.join(differences)}; choose another name"
            f"{_replacing(stored, plan)}"
        )
    limits = {"games": plan.settings.games, "until": plan.settings.until, "extended": plan.settings.extended}
    if plan.settings.format == "ladder" and any(stored.settings.get(key) != limits[key] for key in limits):
        return store.change_settings(name, limits)
    return stored


def other_game(entrant: Entrant, game: Game) -> str:
    """What to tell the organiser if a submitted agent was checked on another game than this; else empty."""
    if not entrant.is_submitted:
        return ""
    submission = Submissions(home()).version(split_parameters(entrant.agent)[0].partition("@")[0], entrant.version)
    checked = "" if submission is None else submission.checked_on.partition("@")[0]
    name = game.name.partition("@")[0]
    if checked in ("", name):
        return ""
    return f"{plain(entrant.name)} was checked on {plain(checked)}, not on {name}; `arena check` with --game tries it"


def differences_from(stored: League, plan: Plan) -> Iterator[str]:
    """Why a plan cannot continue a stored league, one text for each difference."""
    if stored.kind != plan.kind:
        yield f"it is a {stored.kind}"
    before, now = Settings.restored(stored.settings), plan.settings
    if plan.kind == stored.kind == "benchmark" and before.format == now.format and before.rounds != now.rounds:
        each = 2 if now.format == "gauntlet" else 1  # against several levels a round is two games
        yield f"games was {each * (before.rounds or 0)}, is {each * plan.rounds}"
        before = replace(before, rounds=now.rounds)
    if now.format == "ladder":  # it may end at another time than it was to end before
        before = replace(before, games=now.games, until=now.until, extended=now.extended)
    yield from now.differences(before)
    if plan.settings.seed is not None and plan.settings.seed != stored.secret:
        yield "the seed differs"
    was = {entrant.name: entrant for entrant in stored.entrants[: stored.founders]}
    names = [entrant.name for entrant in plan.entrants]
    if names != list(was):
        yield f"entrants were {', '.join(was)}, are {', '.join(names)}"
    for entrant in _changed(stored, plan):
        yield f"the code of {entrant.name} has changed"


def _changed(stored: League, plan: Plan) -> list[Entrant]:
    """The entrants that are not bundled and whose code is not that of the stored league."""
    was = {entrant.name: entrant.hash for entrant in stored.entrants[: stored.founders]}
    return [
        entrant for entrant in plan.entrants if was.get(entrant.name, entrant.hash) != entrant.hash
        and not entrant.is_bundled
    ]  # fmt: skip


def _replacing(stored: League, plan: Plan) -> str:
    """How to let the league go on with the changed code of an entrant."""
    changed = _changed(stored, plan)
    if stored.kind != "league" or not changed:
        return ""
    return f", or bring the new code in: arena replace {plain(stored.name)} {plain(changed[0].name)}"


def changed_agents(stored: League, plan: Plan) -> list[str]:
    """The bundled agents whose code has changed since the league was stored. The next games store their new hash."""
    was = {entrant.name: entrant.hash for entrant in stored.entrants}
    return [entrant.name for entrant in plan.entrants if entrant.is_bundled and entrant.hash != was[entrant.name]]

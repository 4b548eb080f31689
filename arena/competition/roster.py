"""Entrants that enter a league, and rounds that are added to it, also while it runs."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from arena.competition.events import Notice, OnEvent
from arena.competition.league import depart
from arena.competition.plan import fit as fitted_to
from arena.competition.plan import other_game
from arena.competition.resume import check_trusted
from arena.competition.settings import Settings
from arena.competition.stages import remember_results
from arena.entrants.entrant import Entrant, resolve, resolve_all, with_names
from arena.entrants.grants import check_installed
from arena.entrants.recall import names_program
from arena.entrants.staging import home
from arena.errors import BadSettings, UnknownAgent
from arena.execution.executor import Executor, Ok, Setup, open_executor
from arena.formats import swiss
from arena.referee.task import Rehearsal, Trial
from games.base import Game, join_parameters, load_stored, split_parameters
from results.league import Departure, League
from results.record import EntrantRecord
from results.store.store import Store
from results.text import plain

__all__ = ["Replaced", "enter", "enter_all", "extend", "fit", "replace_entrant"]


def enter_all(
    store: Store, league: League, agents: Sequence[str], *, on_event: OnEvent, trust_file: bool = False
) -> Iterator[Entrant]:
    """Add agents to a stored league, one after the other; a notice says which of them do not start."""
    resolved = resolve_all(agents, home=home(), taken=[entrant.name for entrant in league.entrants])
    if any(entrant.is_human for entrant in resolved):
        raise BadSettings("people play with `arena play`, not in a league")
    with _rehearsing(league, resolved, on_event=on_event, trust_file=trust_file) as rehearsed:
        for entrant in rehearsed:
            league = enter(store, league, entrant)
            yield entrant


@contextmanager
def _rehearsing(
    league: League, resolved: Sequence[Entrant], *, on_event: OnEvent, trust_file: bool
) -> Iterator[Iterator[Entrant]]:
    """Fit entrants to the league and start each once before it is yielded; a notice says which do not start."""
    settings = Settings.restored(league.settings)
    check_trusted(settings, trust_file=trust_file)
    game = load_stored(settings.game)
    check_installed(settings.needs, where=f"the settings of {league.name}")
    entrants = [fit(entrant, league, game) for entrant in resolved]
    with open_executor(Setup(game, settings.rules, settings.needs), workers=None) as executor:
        yield (_rehearsed(executor, entrant, game, settings, on_event) for entrant in entrants)


def _rehearsed(executor: Executor, entrant: Entrant, game: Game, settings: Settings, on_event: OnEvent) -> Entrant:
    if told := other_game(entrant, game):
        on_event(Notice(told))
    seconds = settings.time.seconds if settings.time else game.seconds
    (outcome,) = executor.run(iter([Rehearsal(entrant, game, seconds)]))
    trial = outcome.result if isinstance(outcome, Ok) else Trial()
    if trial.is_misnamed:
        raise UnknownAgent(f"{entrant.agent}: {trial.why}")
    if trial.why:
        on_event(Notice(f"warning: {plain(entrant.name)} does not start and will lose its games: {trial.why}"))
    return entrant


def fit(entrant: Entrant, league: League, game: Game) -> Entrant:
    """The entrant as it plays in this league; raises if an engine cannot play its game or start positions."""
    settings = Settings.restored(league.settings)
    return fitted_to(entrant, game, settings)


def enter(store: Store, league: League, entrant: Entrant) -> League:
    """Add an entrant. It meets all the others as if it had been there from the start (Swiss: from the next round)."""
    check_open(store, league)
    if entrant.is_staged:
        remember_results(home(), store.path)
    return store.enter(league.name, entrant.record())


def check_open(store: Store, league: League) -> None:
    """Raise `BadSettings` if no agent can enter the league any more."""
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; no agent can enter it")
    if league.format == "knockout" and store.drawn(league.name):
        raise BadSettings(f"the knockout {league.name} has begun; no agent can enter it any more")
    if league.format == "swiss" and len({pairing.round for pairing in store.drawn(league.name)}) >= league.rounds:
        raise BadSettings(f"the last round of {league.name} is drawn; no agent can enter it any more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A new version in a league. `departure` says what became of the old one; None if its games are kept."""

    old: str
    new: Entrant
    departure: Departure | None


def replace_entrant(
    store: Store, league: League, agent: str, *, keep: bool, on_event: OnEvent, trust_file: bool = False
) -> Replaced:
    """Bring a new version of an entrant into a league; the old one is withdrawn, or with `keep` goes on as the new one.

    `agent` is the name of the entrant, which stands for the newest version, or an agent such as `my_bot@2`.
    """
    if league.kind != "league":
        raise BadSettings(f"{league.name} is not a league but a game or match of two; start a new one")
    old = _replaced(league, agent)
    has_left = old.name in league.departures
    if has_left and keep:
        raise BadSettings(f"{old.name} has left {league.name}; without --keep its new version enters as a new entrant")
    is_name = any(agent == entrant.name for entrant in league.entrants)
    new = _version_for(old, agent, is_name=is_name, keep=keep, trust_file=trust_file)
    changed = ("hash", "path", "options", "grants")
    if all(getattr(new.record(), key) == getattr(old, key) for key in changed):
        why = f"has left {league.name} with this code" if has_left else f"already plays with this code in {league.name}"
        raise BadSettings(f"{old.name} {why}; submit or change it first")
    if not keep:
        new = with_names([new], taken=[entrant.name for entrant in league.entrants])[0]
        try:
            check_open(store, league)
        except BadSettings as error:
            raise BadSettings(f"{error}; with --keep the new version plays on in place of the old one") from error
    with _rehearsing(league, [new], on_event=on_event, trust_file=trust_file) as rehearsed:
        (new,) = rehearsed
        if keep:
            remember_results(home(), store.path)
            store.renew(league.name, new.record())
            return Replaced(old=old.name, new=new, departure=None)
        if not has_left:
            detail = f"replaced by {new.name}"
            league = depart(store, league, old.name, why="withdrawn", detail=detail)
        enter(store, league, new)
        return Replaced(old=old.name, new=new, departure=league.departures[old.name])


def _replaced(league: League, agent: str) -> EntrantRecord:
    """The entrant that is meant. The name of one that was replaced stands for the version that plays now."""
    named = [entrant for entrant in league.entrants if entrant.name == agent]
    exact = named or [entrant for entrant in league.entrants if entrant.agent == agent]
    origin, options = _origin(agent), None
    if exact:
        origin, options = _origin(exact[-1].agent), split_parameters(exact[-1].agent)[1]
    related = [
        entrant for entrant in league.entrants
        if _origin(entrant.agent) == origin and options in (None, split_parameters(entrant.agent)[1])
    ]  # fmt: skip
    for found in (exact, related):
        playing = [entrant for entrant in found if entrant.name not in league.departures]
        if len(playing) > 1:
            names = ", ".join(entrant.name for entrant in playing)
            raise BadSettings(f"{agent!r} can mean several entrants of {league.name}; name one of {names}")
        if playing:
            return playing[0]
    if exact or related:
        return (exact or related)[-1]
    names = ", ".join(entrant.name for entrant in league.entrants)
    raise BadSettings(f"no entrant of {league.name} is a version of {agent!r}; there are {names}")


def _version_for(old: EntrantRecord, agent: str, *, is_name: bool, keep: bool, trust_file: bool) -> Entrant:
    """The new version, with the options of the old one unless others are given. With `is_name`, `agent` is an entrant.

    The program of an engine must be given too, unless the user trusts the results file that names it.
    """
    where, options = split_parameters(agent)
    stored_where, stored_options = split_parameters(old.agent)
    is_typed = bool(options) and not is_name
    if is_name:  # my_bot@1 names a version, unless it is the name of the entrant that plays now
        is_version = "@" in where and agent != old.name
        where, options = where if is_version else _origin(stored_where), stored_options
    if keep and ((options and options != stored_options) or "@" in split_parameters(old.name)[0]):
        raise BadSettings(f"with --keep, {old.name} goes on under its name, which says what it is; leave --keep out")
    named = join_parameters(where, options or stored_options)
    if not trust_file and not is_typed and names_program(named):
        raise BadSettings(
            f"the results file names the program of {old.name!r}: {plain(named, limit=100)}; "
            f"give it with its options, or if you trust the file, add --trust-file"
        )
    new = resolve(named, home=home())
    if keep:
        return replace(new, name=old.name)
    if new.is_submitted and "@" not in where:
        pinned = join_parameters(f"{where}@{new.version}", options or stored_options)
        new = resolve(pinned, home=home())
    return new


def _origin(agent: str) -> str:
    """What all versions of an agent have in common: the submitted name, or the path of the file."""
    where = split_parameters(agent)[0]
    path = where.partition(":")[0]
    return os.path.normpath(where) if path.endswith(".py") or os.sep in path else where.partition("@")[0]


def extend(store: Store, league: League, *, rounds: int | None = None, games: int | None = None) -> League:
    """Add rounds to a league, or games to a benchmark. The command that started it still continues it."""
    if (rounds is None) == (games is None):
        raise BadSettings("give --rounds for a league, or --games for a benchmark")
    settings = Settings.restored(league.settings)
    if settings.sprt is not None or league.kind in ("play", "web"):
        raise BadSettings(
            f"{league.name} cannot be extended: it is a single game, or its own test decides when it ends"
        )
    if league.format == "ladder":
        return _extend_ladder(store, league, settings, rounds=rounds, games=games)
    if (league.kind == "league") != (rounds is not None):
        raise BadSettings(
            f"{league.name} is a {'league; give --rounds' if league.kind == 'league' else 'match; give --games'}"
        )
    if league.format == "knockout":
        raise BadSettings(f"{league.name} is a knockout, which has one winner; start a new league")
    added = rounds if rounds is not None else games
    assert added is not None
    if league.format == "gauntlet" and games is not None:
        if games % 2:
            raise BadSettings(f"against several levels the number of games must be even, not {games}")
        added = games // 2
    if league.format == "swiss":
        swiss.check_swiss(len(league.active), league.rounds + added)
    changes = {"rounds": league.rounds + added, "extended": (settings.extended or 0) + added}
    return store.change_settings(league.name, changes)


def _extend_ladder(
    store: Store, league: League, settings: Settings, *, rounds: int | None, games: int | None
) -> League:
    """Raise the limit of a ladder."""
    if rounds is not None:
        raise BadSettings(f"{league.name} is a ladder, which has no rounds; give --games")
    if settings.games is None:
        raise BadSettings(f"{league.name} is a ladder without a limit of games, so there is nothing to extend")
    assert games is not None
    changes = {"games": settings.games + games, "extended": (settings.extended or 0) + games}
    return store.change_settings(league.name, changes)

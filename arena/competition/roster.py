"""Entrants that enter a league while it is running."""

from collections.abc import Iterator, Sequence

from arena.competition.events import Notice, OnEvent
from arena.competition.settings import Settings
from arena.entrants.entrant import Entrant, fitted, resolve_all
from arena.entrants.grants import check_installed
from arena.entrants.staging import home
from arena.errors import BadSettings, UnknownAgent
from arena.execution.executor import Ok, Setup, open_executor
from arena.referee.task import Rehearsal, Trial
from games.base import Game, load_stored
from results.league import League
from results.store.store import Store
from results.text import plain

__all__ = ["enter", "enter_all", "fit"]


def enter_all(
    store: Store, league: League, agents: Sequence[str], *, on_event: OnEvent, trust_file: bool = False
) -> Iterator[Entrant]:
    """Add agents to a stored league, one after the other; a notice says which of them do not start."""
    resolved = resolve_all(agents, home=home(), taken=[entrant.name for entrant in league.entrants])
    if any(entrant.is_human for entrant in resolved):
        raise BadSettings("people play with `arena play`, not in a league")
    settings = Settings.restored(league.settings)
    if settings.trust_agents and not trust_file:
        raise BadSettings(
            "according to the results file agents play without the sandbox; if you trust the file, add --trust-file"
        )
    game = load_stored(settings.game)
    check_installed(settings.needs, where=f"the settings of {league.name}")
    entrants = [fit(entrant, league, game) for entrant in resolved]
    with open_executor(Setup(game, settings.rules, settings.needs), workers=None) as executor:
        for entrant in entrants:
            (outcome,) = executor.run(
                iter([Rehearsal(entrant, game, settings.time.seconds if settings.time else game.seconds)])
            )
            trial = outcome.result if isinstance(outcome, Ok) else Trial()
            if trial.is_misnamed:
                raise UnknownAgent(f"{entrant.agent}: {trial.why}")
            league = enter(store, league, entrant)
            yield entrant
            if trial.why:
                on_event(Notice(f"warning: {plain(entrant.name)} does not start and will lose its games: {trial.why}"))


def fit(entrant: Entrant, league: League, game: Game) -> Entrant:
    """The entrant as it plays in this league; raises if an engine cannot play its game or start positions."""
    settings = Settings.restored(league.settings)
    has_positions = settings.position is not None or bool(settings.openings)
    return fitted(entrant, game, opening_turns=settings.opening_turns, has_positions=has_positions)


def enter(store: Store, league: League, entrant: Entrant) -> League:
    """Add an entrant. It meets all the others as if it had been there from the start (Swiss: from the next round)."""
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; no agent can enter it")
    if league.format == "knockout" and store.drawn(league.name):
        raise BadSettings(f"the knockout {league.name} has begun; no agent can enter it any more")
    if league.format == "swiss" and len({pairing.round for pairing in store.drawn(league.name)}) >= league.rounds:
        raise BadSettings(f"the last round of {league.name} is drawn; no agent can enter it any more")
    return store.enter(league.name, entrant.record())

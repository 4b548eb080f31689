"""A league with hostile agents ends in time, and the honest agents have the same results as without them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.execution.executor import cores
from arena.referee.agent_player import CLOSE_SECONDS
from results.record import GameRecord
from results.standings.table import table
from results.store.store import Store

#: None of them looks at the clock: with the same seeds they play the same games.
HONEST = ("first_move", "random", "steady.py:LastMove", "steady.py:Captures")
#: Its file, its name in the league, the rule by which it loses.
HOSTILE = [
    ("misbehaving.py:Hangs", "Hangs", "time"),
    ("misbehaving.py:Vanishes", "Vanishes", "exit"),
    ("raises_on_import.py", "raises_on_import", "exception"),
    ("hostile_league.py:Spams", "Spams", "time"),
    ("hostile_processes.py:Forks", "Forks", "process"),
    ("hostile_protocol.py:Floods", "Floods", "protocol"),
]
NAMES = [name for _, name, _ in HOSTILE]
SECONDS = 0.25
#: What a game may cost beside its players' budgets: to start two processes, to end them, to store it. Ten times what
#: it costs on a quiet machine and more: this only tells a league that ends from one that does not.
STARTUP = 20.0
GAMES_OF_ALL = 90


@pytest.fixture
def league(arena: Any, faulty: Path) -> Callable[..., Any]:
    """Run a league of the honest and, by default, the hostile agents; it must end within the time of its games."""

    def run(name: str, *words: str, hostile: bool = True, games: int = GAMES_OF_ALL) -> Any:
        places = [*HONEST, *(place for place, _, _ in HOSTILE if hostile)]
        agents = [f"{faulty}/{place}" if ".py" in place else place for place in places]
        seed = "dice that nobody can guess"  # a short one would not decide the dice of these agents
        options = ("--time", str(SECONDS), "--turns", "8", "--seed", seed, "--name", name, "--json")
        process = arena.start("league", *agents, *options, *words)
        # The worst case on one core: every game takes both budgets, and one player's time to close.
        implied = games * (2 * SECONDS + STARTUP) + CLOSE_SECONDS * len(cores())
        out, err = process.communicate(timeout=implied)
        assert process.returncode == 0, err
        return json.loads(out.splitlines()[-1]), err

    return run


def played(record: GameRecord) -> tuple[object, ...]:
    """Everything of a game that does not depend on the time and the machine."""
    moves = tuple(move.text for move in record.moves)
    return record.first.name, record.second.name, record.seed_first, moves, record.result, record.reason


def games_of_the_honest(store: Store, name: str) -> dict[str, object]:
    records = store.records(name)
    return {record.key: played(record) for record in records if not {record.first.name, record.second.name} & {*NAMES}}


def check_verdicts(store: Store, name: str) -> None:
    """Hostile agents lose to honest ones by their own rule, and honest agents break no rule."""
    rules = {name: rule for _, name, rule in HOSTILE}
    for record in store.records(name):
        if record.fault is not None:
            culprit = record.first.name if record.fault.player == "first" else record.second.name
            assert record.fault.rule == rules[culprit], (culprit, record.fault)
            assert record.score_first == (0.0 if record.fault.player == "first" else 1.0)
        else:
            assert not {record.first.name, record.second.name} & {*NAMES}


def points(store: Store, name: str) -> dict[str, float]:
    return {row.agent: row.points for row in table(store, store.known(name)).rows}


def check_points(store: Store) -> None:
    """Each honest agent has won both games against every hostile agent, and its other points are the same."""
    alone = points(store, "honest")
    assert {name: count for name, count in points(store, "all").items() if name in alone} == {
        name: count + 2 * len(HOSTILE) for name, count in alone.items()
    }


def test_hostile_agents_do_not_change_the_results_of_honest_agents(
    league: Callable[..., Any], store: Store, arena: Any, is_gone: Callable[[Path], bool]
) -> None:
    league("honest", hostile=False, games=12)
    summary, _ = league("all", "--suspend-after", "never")
    assert summary["games"] == GAMES_OF_ALL
    assert is_gone(arena.folder)
    assert games_of_the_honest(store, "all") == games_of_the_honest(store, "honest")
    assert len(games_of_the_honest(store, "honest")) == 12
    check_verdicts(store, "all")
    # A busy machine may withhold the CPU from an agent that spins; such a game is played again.
    assert [void.reason for void in store.voids("all") if "withheld the CPU" not in void.reason] == []
    check_points(store)


def test_hostile_agents_are_suspended_and_their_opponents_get_the_points(
    league: Callable[..., Any], store: Store
) -> None:
    league("honest", hostile=False, games=12)
    summary, err = league("all")
    assert summary["games"] == GAMES_OF_ALL
    check_verdicts(store, "all")
    stored = store.known("all")
    # Half of its 18 games are over when one is suspended: they stand.
    assert all(departure.stands for departure in stored.departures.values())
    assert stored.departures
    assert stored.departures.keys() <= {*NAMES}
    for name, departure in stored.departures.items():
        assert departure.why == "suspended"
        assert f"{name} was suspended ({departure.detail}); its games still count" in err
    awards = {award.key for award in store.awards("all")}
    keys = {record.key for record in store.records("all")}
    assert awards
    assert not awards & keys
    assert len(awards | keys) == GAMES_OF_ALL
    assert games_of_the_honest(store, "all") == games_of_the_honest(store, "honest")
    check_points(store)


def test_hostile_agents_that_are_suspended_early_do_not_count_in_the_table(
    league: Callable[..., Any], store: Store
) -> None:
    league("honest", "--rounds", "3", hostile=False, games=36)
    _, err = league("all", "--rounds", "3", games=3 * GAMES_OF_ALL)
    stored = store.known("all")
    assert stored.departures.keys() == {*NAMES}
    assert [departure.stands for departure in stored.departures.values()] == [False] * len(NAMES)
    assert err.count("its games do not count") == len(NAMES)
    assert store.awards("all") == []
    check_verdicts(store, "all")
    assert games_of_the_honest(store, "all") == games_of_the_honest(store, "honest")
    alone = table(store, store.known("honest")).rows
    honest = [row for row in table(store, stored).rows if not row.status]
    assert [(row.agent, row.rank, row.points, row.games) for row in honest] == [
        (row.agent, row.rank, row.points, row.games) for row in alone
    ]

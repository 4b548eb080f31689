"""Seeds: unpredictable without the secret of the league, repeatable with it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.competition.plan import make_plan, open_league
from arena.competition.seeds import derive, new_secret
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all
from arena.formats.schedule import SCHEDULES
from arena.referee.referee import Job
from results.store.store import Store


def test_the_same_parts_give_the_same_seed() -> None:
    assert derive("secret", "1:1-2", "first") == derive("secret", "1:1-2", "first")


def test_every_part_changes_the_seed() -> None:
    seeds = {
        derive("secret", "1:1-2", "first"), derive("secret", "1:1-2", "second"), derive("secret", "1:2-1", "first"),
        derive("other", "1:1-2", "first"), derive("secret", "1:1-2first"),
    }  # fmt: skip
    assert len(seeds) == 5


def test_a_seed_fits_into_an_sqlite_integer() -> None:
    assert all(0 <= derive("s", str(number)) < 1 << 63 for number in range(1000))


def test_every_league_gets_a_new_secret() -> None:
    assert new_secret() != new_secret()


@pytest.fixture
def job(store: Store, tmp_path: Path, faulty: Path) -> Callable[..., Job]:
    """The job of the first game of these agents in a new league with this seed."""

    def make(*agents: str, seed: str | None, name: str) -> Job:
        named = [f"{faulty}/{agent}" if ".py" in agent else agent for agent in agents]
        settings = replace(Settings(), seed=seed, opening_turns=2, game="mushroom")
        plan = make_plan("league", resolve_all(named, home=tmp_path / "home"), settings)
        league = open_league(store, name, plan)
        assert open_league(store, name, plan) == league  # a second run finds the same secrets
        pairing = next(iter(SCHEDULES["round-robin"]([1, 2], rounds=1)))
        task = plan.task(league, pairing, first=plan.entrants[0], second=plan.entrants[1])
        return replace(task.prepared(), league="")

    return make


MINE = "steady.py:LastMove"
LONG = "a seed that nobody can guess"


def test_a_short_seed_of_bundled_agents_repeats_everything(job: Callable[..., Job]) -> None:
    one, two = (job("random", "greedy", seed="42", name=name) for name in ("one", "two"))
    assert (one.seed, one.seed_first, one.seed_second) == (two.seed, two.seed_first, two.seed_second)
    assert (one.start, one.opening, one.dice) == (two.start, two.opening, "seed")


@pytest.mark.parametrize("agents", [(MINE, "random"), ("random", MINE), (MINE, MINE)])
def test_a_short_seed_does_not_decide_the_random_numbers_of_a_game_with_foreign_code(
    job: Callable[..., Job], agents: tuple[str, str]
) -> None:
    one, two = (job(*agents, seed="42", name=name) for name in ("one", "two"))
    assert (one.start, one.opening, one.seed) == (two.start, two.opening, two.seed)
    assert len({one.seed_first, one.seed_second, two.seed_first, two.seed_second}) == 4
    assert one.dice == "secret"
    # What an agent can do: it knows its own seed and tries what it may be derived from.
    guesses = {derive(str(guess), "0:1-2", seat) for guess in range(1000) for seat in ("first", "second")}
    assert guesses.isdisjoint({one.seed_first, one.seed_second})


def test_a_long_seed_decides_everything(job: Callable[..., Job]) -> None:
    one, two = (job(MINE, "random", seed=LONG, name=name) for name in ("one", "two"))
    assert (one.seed_first, one.seed_second, one.dice) == (two.seed_first, two.seed_second, "seed")


def test_without_a_seed_everything_comes_from_a_secret(job: Callable[..., Job]) -> None:
    one, two = (job("random", "greedy", seed=None, name=name) for name in ("one", "two"))
    assert len({one.seed, two.seed, one.seed_first, two.seed_first}) == 4
    assert one.dice == "secret"


def test_a_game_with_a_short_seed_can_be_played_again(arena: Any, faulty: Path) -> None:
    words = ("play", f"{faulty}/hostile_league.py:Dices", "random", "--turns", "8", "--seed", "42", "--name", "one")
    ran = arena(*words)
    assert ran.code == 0, ran.err
    assert "the seed has fewer than 20 characters and can be guessed" in ran.err
    assert "dice     from a secret that is stored with the league" in arena("show", "1").out
    again = arena("rerun", "1")
    assert (again.code, again.out) == (0, "identical: 8 turns, " + again.out.partition("turns, ")[2])

"""The forecast of a league: its games, and how long they will take."""

import doctest
from pathlib import Path
from typing import Any

import pytest

from arena.competition import forecast as module
from arena.competition import plan as planning
from arena.competition.forecast import Forecast, duration, forecast
from arena.competition.plan import Plan
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all
from results.standings.bracket import MOST_EXTRA
from results.time_control import TimeControl

BUDGET = 10.0


def make_plan(tmp_path: Path, entrants: int, *, rounds: int | None = None, **options: Any) -> Plan:
    found = resolve_all(["random"] * entrants, home=tmp_path / "home")
    return planning.make_plan("league", found, Settings(**{"time": TimeControl(BUDGET)} | options, rounds=rounds))


def make_forecast(plan: Plan, *, workers: int = 1, paces: Any = None) -> Forecast:
    return forecast(plan, workers=workers, paces=paces or {})


@pytest.mark.parametrize(
    ("form", "entrants", "rounds", "games"),
    [
        ("round-robin", 5, None, 20),
        ("round-robin", 3, 4, 24),
        ("gauntlet", 5, None, 8),
        ("swiss", 8, None, 12),
        ("swiss", 5, None, 6),
        ("swiss", 3, 1, 1),
        ("knockout", 5, None, 8),
        ("knockout", 8, 2, 28),
        ("knockout", 2, None, 2),
    ],
)
def test_the_games_of_every_format_are_counted(
    tmp_path: Path, form: str, entrants: int, rounds: int | None, games: int
) -> None:
    assert make_forecast(make_plan(tmp_path, entrants, rounds=rounds, format=form)).games == games


def test_all_games_are_known_if_no_round_is_drawn_later(tmp_path: Path) -> None:
    found = make_forecast(make_plan(tmp_path, 4, format="round-robin"))
    assert len(found.pairings) == found.games == 12
    assert "drawn later" not in found.text()


def test_a_bye_is_not_a_game(tmp_path: Path) -> None:
    found = make_forecast(make_plan(tmp_path, 3, rounds=1, format="swiss"))
    assert [pairing.is_bye for pairing in found.pairings] == [False, True]
    assert found.text() == "1 game on 1 worker: at most 20 s of thinking time"


def test_rounds_that_are_drawn_later_are_mentioned(tmp_path: Path) -> None:
    text = make_forecast(make_plan(tmp_path, 5, format="knockout")).text()
    assert text.startswith("at least 8 games (6 of them in rounds that are drawn later) on 1 worker: at most ")


def test_the_extra_games_of_a_knockout_are_not_counted_as_games(tmp_path: Path) -> None:
    found = make_forecast(make_plan(tmp_path, 9, format="knockout"))
    assert (found.games, found.extra) == (16, 16 * MOST_EXTRA)
    assert found.text().startswith("at least 16 games (")
    assert make_forecast(make_plan(tmp_path, 9, format="swiss")).extra == 0


def test_byes_in_the_first_round_of_a_knockout_are_pairings(tmp_path: Path) -> None:
    found = make_forecast(make_plan(tmp_path, 9, format="knockout"))
    assert [pairing.key for pairing in found.pairings if not pairing.is_bye] == ["k1.1:8-9", "k1.2:9-8"]
    assert [pairing.first for pairing in found.pairings if pairing.is_bye] == [1, 2, 3, 4, 5, 6, 7]
    assert not any(pairing.is_bye for pairing in make_forecast(make_plan(tmp_path, 8, format="knockout")).pairings)


@pytest.mark.parametrize(("workers", "in_a_row"), [(1, 12), (2, 6), (5, 3), (12, 1), (64, 1)])
def test_more_workers_shorten_the_league_but_no_single_game(tmp_path: Path, workers: int, in_a_row: int) -> None:
    assert make_forecast(make_plan(tmp_path, 4, format="round-robin"), workers=workers).most == in_a_row * 2 * BUDGET


def test_a_round_waits_for_the_last_game_of_the_one_before(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, 6, rounds=3, format="swiss")
    assert make_forecast(plan, workers=2).most == 3 * 2 * 2 * BUDGET


def test_the_longest_duration_of_a_knockout_includes_its_extra_games(tmp_path: Path) -> None:
    assert make_forecast(make_plan(tmp_path, 2, format="knockout")).most == (1 + MOST_EXTRA) * 2 * 2 * BUDGET


def test_the_likely_duration_comes_from_stored_games(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, 2, rounds=3, format="round-robin")
    assert make_forecast(plan).likely is None
    found = make_forecast(plan, workers=2, paces={("random", "random"): 4.0, ("random", "mcts"): 90.0})
    assert found.likely == 4.0 * 3 + 86.0 * 3 / 2  # each pair contains one of the two agents
    assert "about 2 min (from stored games), at most 1 min" in found.text()


def test_games_of_the_same_two_agents_are_preferred_to_games_of_one_of_them(tmp_path: Path) -> None:
    entrants = resolve_all(["random", "greedy"], home=tmp_path / "home")
    plan = planning.make_plan("league", entrants, Settings(time=TimeControl(BUDGET), format="round-robin", rounds=1))
    paces = {("greedy", "random"): 2.0, ("random", "mcts"): 50.0, ("mcts", "negamax"): 99.0}
    assert make_forecast(plan, paces=paces).likely == 4.0
    assert make_forecast(plan, paces={("mcts", "negamax"): 99.0}).likely is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (59.7, "1 min"), (3599, "1 h 0 min"), (3725, "1 h 2 min"), (90_000, "25 h 0 min")],
)
def test_a_duration_is_written_in_hours_and_minutes_or_in_seconds(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_doctests_pass() -> None:
    assert doctest.testmod(module).failed == 0

"""Leagues: every pairing once, continued as often as it takes."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Player
from arena.competition import plan as planning
from arena.competition.events import Event, GameStored, Summary, TurnPlayed
from arena.competition.league import MOST_STARVED, MOST_VOIDS
from arena.competition.league import run as run_league
from arena.competition.plan import Plan, changed_agents, open_league
from arena.competition.settings import Settings
from arena.entrants.entrant import resolve_all
from arena.errors import BadSettings, Starved, UnknownAgent
from arena.execution.executor import Setup, open_executor
from arena.formats.schedule import round_robin
from arena.referee.players import ProcessPlayers
from arena.referee.referee import Job
from arena.referee.scripted_player import ScriptedPlayer
from arena.referee.task import Rehearsal, Trial
from results.errors import DiskFull, StoreError
from results.league import League
from results.pairing import Pairing
from results.standings.table import standings
from results.store.store import Store
from results.time_control import TimeControl


def make_plan(tmp_path: Path, *agents: str, games: int = 1, **options: Any) -> Plan:
    entrants = resolve_all(agents or ("random", "greedy", "first_move"), home=tmp_path / "home")
    return planning.make_plan(
        "league", entrants, Settings(**{"turns": 6, "format": "round-robin"} | options, rounds=games)
    )


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedPlayer]:
    """Every seat is taken by a player that makes first moves; none needs a process."""
    made: list[ScriptedPlayer] = []

    def seat(*_: object, **__: object) -> Player:
        made.append(ScriptedPlayer())
        return made[-1]

    monkeypatch.setattr(ProcessPlayers, "program", seat)
    return made


def run(store: Store, league: League, plan: Plan, **how: Any) -> Summary:
    """Run with trusted seats: these tests are not about confinement."""
    home = Path(store.path).parent / "home"
    with open_executor(Setup(plan.game, None, home=home), workers=None) as executor:
        return run_league(store, league, plan, executor, home=home, **how)


def pairings(plan: Plan) -> list[Pairing]:
    return list(round_robin(range(1, len(plan.entrants) + 1), rounds=plan.rounds))


def job(plan: Plan, league: League, pairing: Pairing) -> Job:
    first, second = plan.entrants[pairing.first - 1], plan.entrants[pairing.second - 1]
    return plan.task(league, pairing, first=first, second=second).prepared()


def ignore(_: Event) -> None:
    pass


def stored(events: list[Event]) -> list[int]:
    """How many games were done after each one."""
    return [event.done for event in events if isinstance(event, GameStored)]


def test_a_league_plays_every_pairing_once(tmp_path: Path, store: Store, scripted: list[ScriptedPlayer]) -> None:
    plan = make_plan(tmp_path, games=2)
    events: list[Event] = []
    summary = run(store, open_league(store, "cup", plan), plan, on_event=events.append)
    assert (summary.done, summary.total, summary.suspended) == (12, 12, ())
    assert stored(events) == list(range(1, 13))
    assert store.keys("cup") == {pairing.key for pairing in pairings(plan)}


def test_what_is_stored_is_not_played_again(tmp_path: Path, store: Store, scripted: list[ScriptedPlayer]) -> None:
    plan = make_plan(tmp_path)

    def stop_after_two(event: Event) -> None:
        if isinstance(event, GameStored) and event.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(store, open_league(store, "cup", plan), plan, on_event=stop_after_two)
    events: list[Event] = []
    run(store, open_league(store, "cup", plan), plan, on_event=events.append)
    assert stored(events) == [3, 4, 5, 6]
    rows = standings([entrant.name for entrant in plan.entrants], store.pairs("cup"))
    assert sum(row.games for row in rows) == 12


def test_an_interrupted_game_is_dropped_and_its_players_are_closed(
    tmp_path: Path, store: Store, scripted: list[ScriptedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(tmp_path)

    def interrupt(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(store, open_league(store, "cup", plan), plan, on_event=interrupt, is_watched=True)
    assert store.keys("cup") == set()
    assert store.voids("cup") == []
    assert [player.closed for player in scripted] == [1, 1]


def test_a_failure_of_ours_is_played_again(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([RuntimeError("the worker died"), OSError("no more processes")])

    def seat(*_: object, **__: object) -> Player:
        failure = next(failures, None)
        return ScriptedPlayer([failure] if failure else [])

    monkeypatch.setattr(ProcessPlayers, "program", seat)
    plan = make_plan(tmp_path, "random", "greedy")
    summary = run(store, open_league(store, "cup", plan), plan, on_event=ignore)
    assert (summary.done, summary.suspended) == (2, ())
    assert [attempt.reason for attempt in store.voids("cup")] == ["the worker died"]
    assert "RuntimeError" in store.voids("cup")[0].detail
    assert all(record.fault is None for record in store.records("cup"))


def test_a_pairing_that_fails_three_times_is_suspended_and_the_others_are_played(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seat(_: object, entrant: Any, **__: object) -> Player:
        return ScriptedPlayer([RuntimeError("broken")] if entrant.name == "random" else [])

    monkeypatch.setattr(ProcessPlayers, "program", seat)
    plan = make_plan(tmp_path)
    summary = run(store, open_league(store, "cup", plan), plan, on_event=ignore)
    assert summary.done == 2
    assert sorted(summary.suspended) == [
        "first_move against random", "greedy against random", "random against first_move", "random against greedy",
    ]  # fmt: skip
    assert len(store.voids("cup")) == 4 * MOST_VOIDS


def test_a_store_that_fails_stops_the_league(
    tmp_path: Path, store: Store, scripted: list[ScriptedPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(tmp_path)
    league = open_league(store, "cup", plan)

    def full(_: object) -> None:
        raise DiskFull("no room")

    monkeypatch.setattr(store, "add", full)
    with pytest.raises(StoreError, match="no room"):
        run(store, league, plan, on_event=ignore)
    assert store.voids("cup") == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"time": TimeControl(5.0)}, "time was 400, is 5"),
        ({"rounds": 3}, "rounds was 1, is 3"),
        ({"opening_turns": 2}, "opening-turns was 0, is 2"),
        ({"seed": "other"}, "the seed differs"),
    ],
)
def test_a_league_goes_on_only_with_its_own_settings(
    tmp_path: Path, store: Store, changes: dict[str, Any], words: str
) -> None:
    plan = make_plan(tmp_path)
    open_league(store, "cup", plan)
    with pytest.raises(BadSettings, match=words):
        open_league(store, "cup", replace(plan, settings=replace(plan.settings, **changes)))


def test_a_league_does_not_go_on_as_a_benchmark(tmp_path: Path, store: Store) -> None:
    plan = make_plan(tmp_path)
    open_league(store, "cup", plan)
    with pytest.raises(BadSettings, match="it is a league"):
        open_league(store, "cup", replace(plan, kind="benchmark"))


def test_changed_code_of_a_bundled_agent_is_named_and_the_league_goes_on(tmp_path: Path, store: Store) -> None:
    plan = make_plan(tmp_path, "random", "greedy")
    league = open_league(store, "cup", plan)
    assert changed_agents(league, plan) == []
    newer = replace(plan, entrants=(plan.entrants[0], replace(plan.entrants[1], hash="another")))
    assert open_league(store, "cup", newer) == league
    assert changed_agents(league, newer) == ["greedy"]


def test_a_league_goes_on_only_with_its_own_agents(tmp_path: Path, store: Store) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("one")
    open_league(store, "cup", make_plan(tmp_path, "random", str(mine)))
    mine.write_text("two")
    with pytest.raises(BadSettings, match="the code of mine has changed"):
        open_league(store, "cup", make_plan(tmp_path, "random", str(mine)))
    with pytest.raises(BadSettings, match="entrants were random, mine, are random, greedy"):
        open_league(store, "cup", make_plan(tmp_path, "random", "greedy"))


def test_other_parameters_of_the_game_are_another_league(tmp_path: Path, store: Store) -> None:
    open_league(store, "cup", make_plan(tmp_path))
    with pytest.raises(BadSettings, match="game was microchess:turns=6, is microchess:turns=8"):
        open_league(store, "cup", make_plan(tmp_path, turns=8))


def test_openings_are_shared_by_mirrored_games_and_seeds_by_nobody(tmp_path: Path, store: Store) -> None:
    plan = make_plan(tmp_path, opening_turns=3, turns=80)
    league = open_league(store, "cup", plan)
    jobs = {(p.first, p.second): job(plan, league, p) for p in pairings(plan)}
    assert all(jobs[one, two].opening == jobs[two, one].opening for one, two in jobs)
    assert len({job.opening for job in jobs.values()}) > 1
    seeds = [seed for job in jobs.values() for seed in (job.seed_first, job.seed_second)]
    assert len(set(seeds)) == len(seeds)


def test_a_given_seed_gives_the_same_games_again(tmp_path: Path, store: Store) -> None:
    plan = make_plan(tmp_path, opening_turns=3, turns=80, seed="dice")
    one, two = open_league(store, "one", plan), open_league(store, "two", plan)
    other = open_league(store, "other", replace(plan, settings=replace(plan.settings, seed="other dice")))
    pairing = pairings(plan)[0]
    jobs = [job(plan, league, pairing) for league in (one, two, other)]
    assert (jobs[0].opening, jobs[0].seed_first) == (jobs[1].opening, jobs[1].seed_first)
    assert jobs[0].seed_first != jobs[2].seed_first


def test_positions_and_files_of_openings_shape_every_game(tmp_path: Path, store: Store) -> None:
    position = "k3/4/4/1R2/3K b - - 0 1"
    plan = make_plan(tmp_path, position=position, turns=80)
    assert job(plan, open_league(store, "a", plan), pairings(plan)[0]).start == position
    path = tmp_path / "openings"
    path.write_text(f"{position}\nk3/4/4/2R1/3K w - - 0 1\n")
    plan = make_plan(tmp_path, openings=path, turns=80)
    league = open_league(store, "b", plan)
    starts = [job(plan, league, pairing).start for pairing in pairings(plan)[:3]]
    assert starts == [position] * 3
    later = pairings(replace(plan, settings=replace(plan.settings, rounds=3)))
    by_round = [
        {job(plan, league, pairing).start for pairing in later if pairing.round == number} for number in range(3)
    ]
    assert by_round == [{position}, {"k3/4/4/2R1/3K w - - 0 1"}, {position}]
    with pytest.raises(BadSettings, match="exclude each other"):
        make_plan(tmp_path, openings=path, position=position, turns=80)


def test_a_game_without_turn_limit_refuses_one(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="othello has no turn limit"):
        make_plan(tmp_path, game="othello", turns=10)


def test_a_wrong_value_of_an_option_of_a_bundled_agent_is_told_before_the_league(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "abp_negamax:depth=0", "abp_negamax:depth=2")
    with ProcessPlayers(Setup(plan.game, None)) as players:
        assert "depth" in Rehearsal(plan.entrants[0], plan.game).perform(players).why
        assert Rehearsal(plan.entrants[1], plan.game).perform(players) == Trial()


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("abp_negamax:dpeth=3", "abp_negamax has no option 'dpeth'; did you mean 'depth'?"),
        ("random:x=1", "random has no option 'x'; it has no options"),
    ],
)
def test_an_option_that_a_bundled_agent_does_not_have_is_refused(tmp_path: Path, agent: str, words: str) -> None:
    with pytest.raises(UnknownAgent, match=f"^{re.escape(words)}"):
        make_plan(tmp_path, agent, "random")


def test_an_agent_that_does_not_start_is_told_before_the_league(tmp_path: Path, faulty: Path) -> None:
    plan = make_plan(tmp_path, f"{faulty}/misbehaving.py:Nobody", "random")
    with ProcessPlayers(Setup(plan.game, None, home=tmp_path / "home")) as players:
        assert "has no class Nobody" in Rehearsal(plan.entrants[0], plan.game).perform(players).why


def test_a_starved_pairing_is_played_again_twice_and_then_by_the_wall_clock(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    charges: list[str] = []

    def seat(_: object, entrant: Any, *, charge: str, **__: object) -> Player:
        charges.append(charge)
        return ScriptedPlayer([Starved("no CPU")] if len(charges) <= 4 * MOST_STARVED else [])

    monkeypatch.setattr(ProcessPlayers, "program", seat)
    plan = make_plan(tmp_path, "random", "greedy")
    summary = run(store, open_league(store, "cup", plan), plan, on_event=ignore)
    assert (summary.done, summary.suspended) == (2, ())
    assert charges == ["fair"] * 8 + ["wall"] * 4
    assert [attempt.reason for attempt in store.voids("cup")] == ["no CPU"] * 4

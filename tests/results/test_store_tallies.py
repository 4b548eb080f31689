"""Tallies and summaries say what the games say, whatever happened, and queries over many games read only an index."""

import random

import pytest

from results.cpu_load import Load
from results.errors import BadEntrants, Damaged
from results.record import FaultRecord, MoveRecord
from results.store import sql
from results.store.store import Store

NAMES = ("ada", "bob", "eve")


def counts_of_games(store, league):
    """The results of each pair, counted game by game."""
    found = {}
    left = {name for name, gone in store.known(league).departures.items() if not gone.stands}
    for record in store.counted(league):
        if not left & {record.first.name, record.second.name}:
            count = found.setdefault((record.first.name, record.second.name), [0] * 6)
            culprit = record.fault.player if record.fault else ""
            adds = (1, record.result == "1-0", record.result == "1/2-1/2", record.result == "0-1")
            for place, add in enumerate((*adds, culprit == "first", culprit == "second")):
                count[place] += add
    return found


def counts_of_tallies(store, league):
    return {
        (pair.first, pair.second): [
            pair.games, pair.wins, pair.draws, pair.losses, pair.faults_first, pair.faults_second
        ]
        for pair in store.pairs(league)
    }  # fmt: skip


def random_game(rng, make_record, league, key):
    first, second = rng.sample(NAMES, 2)
    wait = rng.choice([0.0, 0.4])
    moves = tuple(MoveRecord("c1b3", rng.random(), 0.1, wait) for _ in range(rng.randint(0, 5)))
    fault = FaultRecord(rng.choice(["first", "second"]), "time", "", {}) if rng.random() < 0.3 else None
    return make_record(
        key, league=league, first=first, second=second, moves=moves, fault=fault, mover=rng.choice(["first", "second"]),
        result=rng.choice(["1-0", "0-1", "1/2-1/2"]), unanswered=rng.choice([0.0, 0.75]),
    )  # fmt: skip


def change(rng, store, make_record, number):
    """One change of the file, chosen at random: most are new games."""
    league = rng.choice([league.name for league in store.leagues()])
    stored, gone = store.ids(league), store.known(league).departures
    match rng.choice(["add"] * 8 + ["exclude", "exclude", "include", "withdraw", "replace", "rename", "remove"]):
        case "exclude" if out := sorted(set(stored) - store.exclusions(league).keys()):
            store.exclude(rng.choice(out), because="overloaded")
        case "include" if out := sorted(store.exclusions(league)):
            store.include(rng.choice(out))
        case "withdraw" if still := sorted(set(NAMES) - gone.keys()):
            store.depart(league, rng.choice(still), why="withdrawn", detail="", stands=rng.random() < 0.5)
        case "replace":
            store.renew(league, make_record(first=rng.choice(NAMES)).first)
        case "rename":
            store.rename(league, f"renamed-{number}", is_alive=lambda *_: False)
        case "remove" if len(store.leagues()) > 2:
            store.remove([league], is_alive=lambda *_: False)
        case _:
            store.add(random_game(rng, make_record, league, f"key-{number}"))


@pytest.mark.parametrize("seed", range(6))
def test_tallies_and_summaries_equal_a_recount_after_any_changes(store, make_record, seed):
    rng = random.Random(seed)
    for name in ("summer", "autumn"):
        store.create_league(name, kind="league", settings={}, secret="", entrants=store.known("spring").entrants)
    for number in range(120):
        change(rng, store, make_record, number)
    for league in store.leagues():
        assert counts_of_tallies(store, league.name) == counts_of_games(store, league.name)
        assert store.count(league.name, departed=True) == len(store.ids(league.name))
        load = store.load(league.name)
        recounted = Load.of(record.load for record in store.counted(league.name))
        assert (load.games, load.starved) == (recounted.games, recounted.starved)
        assert (load.wall, load.wait) == pytest.approx((recounted.wall, recounted.wait))
    rows = store._connection.execute("SELECT * FROM summary ORDER BY record").fetchall()
    assert [tuple(row) for row in rows] == [
        (record.id, record.turns, record.seconds_first, record.seconds_second) for record in store.records()
    ]


def plan(store, query, **given):
    steps = store._connection.execute(f"EXPLAIN QUERY PLAN {query}", given).fetchall()
    return [step["detail"] for step in steps]


@pytest.mark.parametrize("league", [True, False])
@pytest.mark.parametrize("faults", [True, False])
@pytest.mark.parametrize(("agent", "opponent"), [(False, False), (True, False), (True, True)])
def test_games_are_listed_without_reading_them(store, league, faults, agent, opponent):
    query = sql.numbers(league=league, agent=agent, opponent=opponent, faults=faults)
    read = [step for step in plan(store, query, league=1, agent="ada", opponent="bob") if "record" in step]
    assert read
    assert all("COVERING INDEX record_by_" in step for step in read)


def test_the_newest_games_of_a_league_are_found_without_sorting_all(store):
    query = sql.numbers(league=True, agent=False, opponent=False, faults=False)
    steps = plan(store, f"SELECT id FROM ({query}) WHERE id < 99 ORDER BY id DESC LIMIT 50", league=1)
    assert not any("TEMP B-TREE" in step for step in steps)


def test_standings_read_tallies_and_no_games(store):
    for query in (sql.PAIRS, sql.LOAD.replace("?", ":league")):
        steps = plan(store, query, league=1)
        assert not any("record" in step for step in steps)
        assert any("tally USING" in step for step in steps)


def test_scores_are_read_from_an_index(store):
    steps = plan(store, sql.SCORES.replace("?", ":league"), league=1)
    assert any("COVERING INDEX record_by_key" in step for step in steps)


def test_adding_a_game_reads_only_its_two_entrants(store, make_record):
    asked = []
    store._connection.set_trace_callback(asked.append)
    store.add(make_record())
    assert not any("entrant WHERE league" in query and "name =" not in query for query in asked)


def test_the_newest_games_come_first_and_all_are_counted(store, make_record):
    for number in range(5):
        store.add(make_record(f"k{number}"))
    store.add(make_record("other", first="eve", second="ada"))
    assert store.newest("spring", limit=3) == ([6, 5, 4], 6)
    assert store.newest("spring", agent="bob", limit=2, skip=2) == ([3, 2], 5)
    assert store.newest(agent="ada", opponent="eve", limit=9) == ([6], 1)
    assert store.newest("spring", before=3, limit=9) == ([2, 1], 6)
    assert store.newest("spring", faults=True, limit=9) == ([], 0)
    assert store.newest("spring", limit=-1).numbers == [6, 5, 4, 3, 2, 1]


def test_games_of_somebody_unknown_are_an_error(store):
    with pytest.raises(BadEntrants, match="'zed' is not an entrant of spring; there are ada, bob, eve"):
        store.newest("spring", agent="ada", opponent="zed", limit=1)
    with pytest.raises(BadEntrants, match=r"no league in .* has an entrant called 'zed'"):
        store.newest(agent="zed", limit=1)


def test_a_line_says_what_the_record_says(store, make_record):
    store.add(make_record("1"))
    fault = FaultRecord("second", "time", "late", {})
    store.add(make_record("2", reason="fault", fault=fault))
    store.exclude(1, because="overloaded")
    plain, faulty = store.lines([2, 1])
    assert (plain.id, plain.first, plain.result, plain.turns, plain.excluded) == (1, "ada", "1-0", 2, "overloaded")
    assert (plain.faulty, plain.rule) == (None, None)
    assert (faulty.id, faulty.league, faulty.faulty, faulty.rule, faulty.excluded) == (2, "spring", "bob", "time", None)


def test_a_tally_that_cannot_be_is_damage(store, make_record):
    store.add(make_record())
    store._connection.execute("UPDATE tally SET wins = 5")
    with pytest.raises(Damaged, match="is damaged"):
        store.pairs("spring")


def test_an_error_names_some_of_many_entrants(tmp_path, make_record):
    with Store.open(tmp_path / "many.db", create=True) as store:
        entrants = [make_record(first=f"n{number}").first for number in range(300)]
        store.create_league("spring", kind="league", settings={}, secret="", entrants=entrants)
        with pytest.raises(BadEntrants, match=r"n99 and 200 more$"):
            store.add(make_record(first="zed", second="n1"))

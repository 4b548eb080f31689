"""`arena leagues`, `arena records`, and `last` as the number of a game."""

import json
from typing import Any

import pytest

from results.store.store import Store

CUP = ("league", "random", "first_move", "one_step_search", "--turns", "6", "--name", "cup")


def leagues(arena: Any) -> dict[str, Any]:
    return {league["name"]: league for league in json.loads(arena("leagues", "--json").out)}


def numbers(arena: Any, *words: str) -> list[int]:
    return [record["id"] for record in json.loads(arena("records", *words, "--json").out)]


@pytest.fixture
def cup(arena: Any) -> Any:
    """A finished league of three and one game."""
    assert arena(*CUP).code == 0
    assert arena("play", "random", "first_move", "--turns", "4").code == 0
    return arena


def test_leagues_are_listed_with_their_games_entrants_and_state(cup: Any) -> None:
    header, _, first, second = cup("leagues").out.splitlines()
    assert header.split() == ["name", "kind", "game", "entrants", "games", "state", "created"]
    assert first.split()[:8] == ["cup", "league", "microchess:turns=6", "3", "6", "of", "6", "finished"]
    assert second.split()[:8] == ["play-1", "play", "microchess:turns=4", "2", "1", "of", "1", "finished"]


def test_an_unfinished_league_is_stopped_and_a_running_one_is_running(arena: Any) -> None:
    process = arena.start(*CUP, "--rounds", "200", "--json")
    arena.next_line(process)
    assert leagues(arena)["cup"]["state"] == "running"
    process.kill()
    process.communicate(timeout=600)
    found = leagues(arena)["cup"]
    assert (found["state"], found["total"]) == ("stopped", 1200)
    assert 1 <= found["games"] < 1200


def test_a_league_whose_withdrawn_entrant_is_out_is_still_finished_and_so_is_one_with_an_excluded_game(
    cup: Any,
) -> None:
    cup("withdraw", "cup", "first_move", "--because", "too slow")
    found = leagues(cup)["cup"]
    assert (found["entrants"], found["games"], found["total"]) == (["random", "one_step_search"], 6, 6)
    kept = next(record for record in json.loads(cup("records", "--league", "cup", "--json").out)
                if "first_move" not in (record["first"], record["second"]))  # fmt: skip
    cup("exclude", str(kept["id"]), "--because", "power cut")
    assert leagues(cup)["cup"]["state"] == "finished"
    assert "(excluded)" in cup("records").out


def test_a_swiss_with_byes_a_replaced_entrant_and_a_new_round_is_finished_when_nothing_is_left_to_play(
    arena: Any,
) -> None:
    swiss = ("league", "random", "first_move", "greedy", "--format", "swiss", "--rounds", "1", "--name", "swiss",
             "--turns", "4", "--workers", "1")  # fmt: skip
    assert arena(*swiss).out.startswith("swiss: 2 of 2 games, 1 of them decided without a game\n")
    assert leagues(arena)["swiss"] | {"created": ""} == {
        "name": "swiss", "kind": "league", "game": "microchess:turns=4", "format": "swiss", "created": "",
        "entrants": ["random", "first_move", "greedy"], "games": 1, "total": 1, "state": "finished",
    }  # fmt: skip
    extended = arena("extend", "swiss", "--rounds", "1", "--db", "arena.db", "--home", "home")
    home = arena.folder / "home"
    assert extended.err == (
        f"swiss is not running; to play the new games: arena league --name swiss --db arena.db --home {home}\n"
    )
    assert arena("enter", "swiss", "one_step_search").code == 0
    assert arena("withdraw", "swiss", "greedy").code == 0
    found = leagues(arena)["swiss"]
    assert (found["games"], found["total"], found["state"]) == (1, 2, "stopped")
    ran = arena("league", "--name", "swiss", "--workers", "1")
    assert ran.out.startswith("swiss: 4 of 4 games, 2 of them decided without a game\n")
    assert "swiss: 2 of 4 games were already stored\n" in ran.err
    assert leagues(arena)["swiss"]["state"] == "finished"


def test_a_knockout_is_listed_as_finished_when_it_has_a_winner(arena: Any) -> None:
    cut = ("league", "random", "first_move", "greedy", "--format", "knockout", "--name", "cut", "--turns", "4")
    assert arena(*cut).code == 0
    found = leagues(arena)["cut"]
    assert (found["state"], found["total"]) == ("finished", found["games"])


def test_the_end_of_a_match_by_a_sequential_test_is_stored_and_more_games_open_it_again(arena: Any) -> None:
    words = ("match", "random", "first_move", "--sprt", "0", "1", "--turns", "6", "--name", "test", "--workers", "1")
    assert arena(*words, "--games", "4").code == 0
    found = leagues(arena)["test"]
    assert (found["total"], found["state"]) == (None, "finished")
    assert arena("leagues").out.splitlines()[2].split()[:2] == ["test", "match"]
    process = arena.start(*words, "--games", "20000", "--json")
    arena.next_line(process)
    process.kill()
    process.communicate(timeout=600)
    assert leagues(arena)["test"]["state"] == "stopped"


def test_a_benchmark_is_extended_and_its_command_plays_the_new_games(arena: Any) -> None:
    words = ("benchmark", "random", "first_move", "--games", "2", "--turns", "4", "--workers", "1", "--name", "duel")
    assert arena(*words).code == 0
    ran = arena("extend", "duel", "--games", "2")
    assert (ran.out, ran.err) == (
        "duel has 4 games now\n", "duel is not running; run its command again with --name duel to play the new games\n"
    )  # fmt: skip
    assert leagues(arena)["duel"]["state"] == "stopped"
    ran = arena(*words)
    assert ran.code == 0, ran.err
    # Progress lines have the number of the record.
    assert [line.split(":")[0] for line in ran.err.splitlines()[-2:]] == ["3/4  record 3", "4/4  record 4"]
    assert leagues(arena)["duel"]["state"] == "finished"


def test_a_league_is_renamed_and_goes_on_under_its_new_name(cup: Any) -> None:
    assert cup("rename", "cup", "thursday").out == "cup is called thursday now\n"
    assert "thursday: 6 of 6 games were already stored" in cup("league", "--name", "thursday").err
    taken = cup("rename", "thursday", "play-1")
    assert (taken.code, taken.error) == (
        1, "arena: there is already a league called 'play-1' in arena.db; choose another name"
    )  # fmt: skip
    assert "no league called 'cup'" in cup("rename", "cup", "friday").error
    assert cup("rename", "thursday", " ").code == 2


def test_a_league_is_removed_after_a_question_and_a_backup_is_kept(cup: Any) -> None:
    assert cup("exclude", "1", "--because", "test").code == 0
    asked = cup("remove", "cup", typed="n\n")
    assert asked.code == 130
    assert "remove cup with 6 games from arena.db? [y/N]: " in asked.err
    assert set(leagues(cup)) == {"cup", "play-1"}
    ran = cup("remove", "cup", "play-1", typed="y\n")
    assert (ran.code, ran.out) == (0, "removed cup, play-1 with 7 games\n")
    assert leagues(cup) == {}
    (backup,) = cup.folder.glob("arena-backup-*.db")
    assert ran.err.endswith(f"the earlier file is kept as {backup.name}\n")
    assert {league["name"] for league in json.loads(cup("leagues", "--db", backup.name, "--json").out)} == {
        "cup", "play-1",
    }  # fmt: skip
    assert cup("remove", "cup", "--db", backup.name, "--yes", "--no-backup").err == ""
    assert len(list(cup.folder.glob("*.db"))) == 2
    assert "no league called 'cup'" in cup("remove", "cup", "--yes").error


def test_a_running_league_is_neither_removed_nor_renamed(arena: Any) -> None:
    process = arena.start(*CUP, "--rounds", "200", "--json")
    arena.next_line(process)
    for words in (("remove", "cup", "--yes"), ("rename", "cup", "other")):
        refused = arena(*words)
        assert refused.code == 1
        assert f"process {process.pid} is playing cup; wait for it, or stop it" in refused.err
    assert not list(arena.folder.glob("*backup*"))
    process.kill()
    process.communicate(timeout=600)


def test_records_are_chosen_by_league_agent_and_fault(cup: Any) -> None:
    (cup.folder / "broken.py").write_text(
        "from agents import BaseAgent\nclass Broken(BaseAgent):\n    def act(self, state): return None\n"
    )
    cup("play", "./broken.py", "random", "--turns", "4")
    assert numbers(cup) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert numbers(cup, "--league", "cup") == [1, 2, 3, 4, 5, 6]
    assert len(numbers(cup, "--league", "cup", "--agent", "random")) == 4
    assert numbers(cup, "--faults") == [8]
    assert "broken faulted: illegal-move" in cup("records", "--faults").out
    unknown = cup("records", "--agent", "nobody")
    assert unknown.code == 1
    assert "no league in arena.db has an entrant called 'nobody'" in unknown.err


def test_only_the_newest_records_are_listed_unless_all_are_asked_for(cup: Any) -> None:
    newest = cup("records", "--limit", "2")
    assert [line.split()[0] for line in newest.out.splitlines()] == ["record", "--------", "6", "7"]
    assert newest.err == "the newest 2 of 7 games; --limit 0 shows all\n"
    assert numbers(cup, "--limit", "0") == [1, 2, 3, 4, 5, 6, 7]
    assert cup("records", "--faults").err == "no such game is stored\n"


def test_last_is_the_newest_game(cup: Any) -> None:
    assert cup("show", "last").out == cup("show", "7").out
    assert cup("why", "last").out == cup("why", "7").out
    assert cup("rerun", "last").out.startswith("identical: ")
    assert cup("exclude", "--because", "test", "last", "--db", "arena.db").out.startswith("record 7 no longer counts")


def test_a_record_that_is_no_number_is_refused_in_one_line(cup: Any) -> None:
    for wrong in ("latest", "0"):
        found = cup("show", wrong)
        assert found.code == 2
        assert "Traceback" not in found.err


def test_an_empty_file_has_no_last_game_and_no_league(arena: Any) -> None:
    Store.open(arena.folder / "arena.db", create=True).close()
    found = arena("show", "last")
    assert (found.code, found.out) == (1, "")
    assert found.err.endswith("no game is stored in arena.db yet; play one first\n")
    assert arena("leagues").err == "no league is stored in arena.db yet\n"
    assert arena("leagues", "--json").out == "[]\n"

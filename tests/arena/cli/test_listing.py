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
    assert (found["entrants"], found["games"], found["total"]) == (["random", "one_step_search"], 2, 2)
    kept = next(record for record in json.loads(cup("records", "--league", "cup", "--json").out)
                if "first_move" not in (record["first"], record["second"]))  # fmt: skip
    cup("exclude", str(kept["id"]), "--because", "power cut")
    assert leagues(cup)["cup"]["state"] == "finished"
    assert "(excluded)" in cup("records").out


def test_a_match_by_a_sequential_test_has_no_total(arena: Any) -> None:
    arena("match", "random", "first_move", "--sprt", "0", "400", "--games", "4", "--turns", "6", "--name", "test")
    found = leagues(arena)["test"]
    assert (found["total"], found["state"]) == (None, "stopped")


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

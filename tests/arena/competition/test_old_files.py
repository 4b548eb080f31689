"""Files of earlier versions open and continue. `schema-2.db` has 23 leagues, some of them unfinished."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from results.store.store import Store

FILES = Path(__file__).parents[2] / "results" / "files"
THURSDAY = (
    "league", "random", "one_step_search", "./student.py", "--rounds", "2", "--time", "2", "--turns", "20",
    "--opening-turns", "2", "--seed", "fixture", "--name", "thursday",
)  # fmt: skip
SWISS = (
    "league", "random", "first_move", "one_step_search", "greedy", "./student.py", "--format", "swiss", "--turns", "20",
    "--time", "2", "--seed", "fixture", "--name", "swiss",
)  # fmt: skip
NOTICE = "the code of these bundled agents has changed since the first games: "


@pytest.fixture
def old(arena: Any) -> Any:
    """The command line in a folder with the old file and the code of its participant."""
    shutil.copy(FILES / "schema-2.db", arena.folder / "arena.db")
    shutil.copy(FILES / "student.py", arena.folder)
    return arena


def moves(folder: Path, league: str) -> dict[str, list[str]]:
    with Store.read(folder / "arena.db") as store:
        return {record.key: [move.text for move in record.moves] for record in store.records(league)}


def test_an_unfinished_league_continues_with_the_same_command(old: Any) -> None:
    before = moves(old.folder, "thursday")
    ran = old(*THURSDAY)
    assert ran.code == 0, ran.err
    assert "thursday: 3 of 24 games were already stored" in ran.err
    after = moves(old.folder, "thursday")
    assert len(after) == 24
    assert before.items() <= after.items()
    assert ran.err.count(f"{NOTICE}random, one_step_search\n") == 1


def test_the_next_games_store_the_new_code_of_bundled_agents(old: Any) -> None:
    old(*THURSDAY)
    with Store.read(old.folder / "arena.db") as store:
        hashes = [
            entrant.hash
            for record in store.records("thursday")
            for entrant in (record.first, record.second)
            if entrant.name == "random"
        ]
    assert len(set(hashes)) == 2
    assert hashes == sorted(hashes, key=hashes.index)  # first the old ones, then the new ones


def test_a_drawn_league_continues_where_it_was(old: Any) -> None:
    before = moves(old.folder, "swiss")
    ran = old(*SWISS)
    assert ran.code == 0, ran.err
    after = moves(old.folder, "swiss")
    assert before.items() < after.items()


def test_changed_code_of_a_participant_is_refused(old: Any) -> None:
    student = old.folder / "student.py"
    student.write_text(student.read_text().replace("[-1]", "[0]"))
    ran = old(*THURSDAY)
    assert ran.code == 2
    brought_up, refused = ran.err.splitlines()
    assert brought_up.endswith("the earlier file is kept as arena-schema-2.db")
    assert refused == (
        "arena: league 'thursday' is stored with different settings: the code of student has changed; "
        "choose another name, or bring the new code in: arena replace thursday student"
    )


def test_old_games_are_shown_explained_and_exported(old: Any) -> None:
    assert old("standings", "--league", "thursday").code == 0
    assert old("report", "--league", "thursday", "--output", "page.html").code == 0
    assert old("export", "--format", "csv", "--output", "games.csv").code == 0
    with Store.read(old.folder / "arena.db") as store:
        faults = [record for record in store.records() if record.fault is not None]
    assert len(faults) > 20
    for record in faults[::5]:
        ran = old("why", str(record.id))
        assert ran.code == 0, ran.err
        assert "(in act)" not in ran.out

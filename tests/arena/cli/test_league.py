"""`arena league`: formats, league files, dry runs, and results files that cannot be written."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

FOUR = ("random", "first_move", "one_step_search", "greedy")
SHORT = ("--turns", "4", "--name", "cup")


def games(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        number: int = connection.execute("SELECT COUNT(*) FROM record").fetchone()[0]
        return number


@pytest.mark.parametrize(
    ("form", "words", "most"),
    [
        ("round-robin", ("--rounds", "2"), 24),
        ("gauntlet", (), 6),
        ("swiss", ("--rounds", "2"), 4),
        ("knockout", ("--opening-turns", "2"), 6),
    ],
)
def test_every_format_is_played_to_its_end_and_can_be_repeated(
    arena: Any, form: str, words: tuple[str, ...], most: int
) -> None:
    command = ("league", *FOUR, "--format", form, *words, *SHORT)
    ran = arena(*command)
    assert ran.code == 0
    played = games(arena.folder / "arena.db")
    assert played == most if form != "knockout" else played >= most  # level ties get extra games
    assert ran.out.startswith(f"cup: {played} of {played} games\n")
    again = arena(*command)
    assert again.out == ran.out
    assert again.err.endswith(f"cup: {played} of {played} games were already stored\n")


def test_a_league_prints_the_same_table_as_standings(arena: Any) -> None:
    ran = arena("league", *FOUR, *SHORT)
    printed = arena("standings").out
    assert ran.out.splitlines()[1:] == printed.splitlines()[1:]
    header, _, *lines = printed.splitlines()[2:]
    assert header.split()[:10] == ["#", "agent", "points", "games", "W", "D", "L", "faults", "Elo", "±"]
    assert lines[4] == ""
    assert lines[-1].endswith(".")


def test_json_contains_the_ratings(arena: Any) -> None:
    *_, summary = arena("league", *FOUR[:2], *SHORT, "--json").json
    assert {"elo", "elo_error", "status", "awarded"} <= summary["standings"][0].keys()
    assert summary["games"] == 2


@pytest.mark.parametrize(
    ("form", "lines", "total"),
    [
        ("round-robin", 12, "12 games on"),
        ("gauntlet", 6, "6 games on"),
        ("swiss", 2, "4 games (2 of them in rounds that are drawn later) on"),
        ("knockout", 4, "at least 6 games (2 of them in rounds that are drawn later) on"),
    ],
)
def test_a_dry_run_prints_the_schedule_and_writes_nothing(arena: Any, form: str, lines: int, total: str) -> None:
    ran = arena("league", *FOUR, "--format", form, "--time", "5", "--dry-run")
    assert (ran.code, ran.err) == (0, "")
    settings, pairings, summary = ran.out.split("\n\n")
    assert f"format         {form}\n" in settings
    assert len(pairings.splitlines()) == lines
    assert summary.startswith(total)
    assert not (arena.folder / "arena.db").exists()


def test_the_help_lists_the_keys_of_a_league_file(arena: Any) -> None:
    text = " ".join(arena("league", "--help").out.split())
    assert "Keys of a league file: name, game, format, rounds, time, move-time, turns, " in text


def test_a_dry_run_in_json_contains_byes(arena: Any) -> None:
    (found,) = arena("league", *FOUR[:3], "--format", "swiss", "--dry-run", "--json").json
    assert found["games"] == 2
    assert found["likely"] is None
    assert [(pairing["first"], pairing["second"], pairing["round"]) for pairing in found["pairings"]] == [
        ("random", "first_move", 1), ("one_step_search", None, 1),
    ]  # fmt: skip


def test_a_dry_run_of_a_knockout_lists_byes(arena: Any) -> None:
    ran = arena("league", *FOUR[:3], "--format", "knockout", "--dry-run")
    _, pairings, _ = ran.out.split("\n\n")
    assert [" ".join(line.split()) for line in pairings.splitlines()] == [
        f"k1.1:2-3 {FOUR[1]} - {FOUR[2]}", f"k1.2:3-2 {FOUR[2]} - {FOUR[1]}", f"k1:1-bye {FOUR[0]} has a bye",
    ]  # fmt: skip


def test_a_dry_run_reads_stored_games_and_does_not_change_them(arena: Any) -> None:
    arena("league", *FOUR[:2], *SHORT)
    before = (arena.folder / "arena.db").read_bytes()
    ran = arena("league", *FOUR[:2], *SHORT, "--dry-run")
    assert "(from stored games), at most" in ran.out
    assert (arena.folder / "arena.db").read_bytes() == before
    assert sorted(path.name for path in arena.folder.iterdir()) == ["arena.db"]


#: Arguments of `arena league`, exit code, start of the error.
MISTAKES = [
    (["random", "./none.py"], 2, "arena: there is no file or folder 'none.py'"),
    (["--config", "none.toml"], 2, "arena: no league file 'none.toml'; these ship with arena: chess-ladder, "),
    (["--config", "."], 2, "arena: no league file '.'; these ship with arena: chess-ladder, "),
    (["random", "greedy", "--workers", "99"], 2, "arena: 99 workers on "),
    (["random", "greedy", "--workers", "99", "--dry-run"], 2, "arena: 99 workers on "),
    (["random", "greedy", "--workers", "0"], 2, "Error: Invalid value for '--workers': must be a whole number from 1"),
    (["random", "greedy", "--suspend-after", "200%"], 2, "Error: Invalid value for '--suspend-after': must be a share"),
    (["random", "greedy", "--suspend-after", "often"], 2, "Error: Invalid value for '--suspend-after': must be a shar"),
    (["random", "greedy", "--format", "ladder"], 2, "Error: Invalid value for '--format': 'ladder' is not one of"),
    (["random", "greedy", "mcts", "--format", "swiss", "--rounds", "9"], 2,
     "arena: a Swiss league of 3 entrants has at most 2 rounds, so that no two meet twice; the usual number is 2"),
    (["random", "greedy", "--format", "swiss", "--rounds", "2", "--dry-run"], 2, "arena: a Swiss league of 2 entrants"),
    (["random", "--dry-run"], 2, "arena: a league needs at least two entrants; name agents or a league file"),
    (["random", "human", "--dry-run"], 2, "arena: people play with `arena play`"),
    (["random", "greedy", "--db", "none/arena.db"], 1, "arena: no folder none; make it first or use another file"),
    (["random", "greedy", "--db", "."], 2, "Error: Invalid value for '--db': File '.' is a directory."),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "line"), MISTAKES)
def test_an_error_is_one_line_and_creates_no_file(arena: Any, words: list[str], code: int, line: str) -> None:
    ran = arena("league", *words)
    assert ran.error.startswith(line)
    assert ran.code == code
    assert list(arena.folder.glob("*.db*")) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("tmie = 3", "arena: cup.toml: unknown key 'tmie'; did you mean 'time'?"),
        (
            'time = "long"',
            "arena: cup.toml: time must be a number of seconds above 0, 1000000 at most, or as in 10+0.1",
        ),
        ("rounds = true", "arena: cup.toml: rounds must be a whole number from 1 to 100000, not True"),
        ("time = = 3", "arena: cannot read 'cup.toml': "),
        ('entrants = [{ agnet = "random" }]', "arena: cup.toml: entrant 1: unknown key 'agnet'; did you mean 'agent'?"),
        ('entrants = ["random", "randon"]', "arena: unknown agent 'randon'; did you mean 'random'?"),
        ('entrants = ["random"]', "arena: a league needs at least two entrants"),
    ],
)
def test_an_error_in_a_league_file_is_one_line(arena: Any, text: str, line: str) -> None:
    (arena.folder / "cup.toml").write_text(text)
    ran = arena("league", "--config", "cup.toml")
    assert ran.error.startswith(line)
    assert ran.code == 2
    assert list(arena.folder.glob("*.db*")) == []


@pytest.fixture
def cup(arena: Any) -> Path:
    """A league file with two entrants, in a folder of its own."""
    path: Path = arena.folder / "files" / "cup.toml"
    path.parent.mkdir()
    path.write_text(
        'name = "cup"\nturns = 4\nrounds = 3\ntime = 7\nsuspend-after = "never"\nworkers = 1\n'
        'entrants = ["random", { agent = "first_move", name = "the first" }]\n'
    )
    return path


def settings(arena: Any, league: str) -> dict[str, Any]:
    with closing(sqlite3.connect(arena.folder / "arena.db")) as connection:
        (text,) = connection.execute("SELECT settings FROM league WHERE name = ?", (league,)).fetchone()
    found: dict[str, Any] = json.loads(text)
    return found


def test_a_league_file_contains_all_settings(arena: Any, cup: Path) -> None:
    ran = arena("league", "--config", str(cup))
    assert ran.out.startswith("cup: 6 of 6 games\n")
    assert "the first" in ran.out
    found = settings(arena, "cup")
    assert (found["time"], found["game"], found["suspend-after"]) == (7.0, "microchess:turns=4", None)


@pytest.mark.parametrize("first", [True, False])
def test_options_override_the_league_file_in_any_order(arena: Any, cup: Path, first: bool) -> None:
    options = ("--rounds", "1", "--name", "other", "--suspend-after", "20%", "--turns", "6")
    config = ("--config", str(cup))
    ran = arena("league", *(config + options if first else options + config))
    assert ran.out.startswith("other: 2 of 2 games\n")
    found = settings(arena, "other")
    assert (found["time"], found["game"], found["suspend-after"]) == (7.0, "microchess:turns=6", 0.2)


def test_agents_can_be_added_to_those_of_a_league_file(arena: Any, cup: Path, faulty: Path) -> None:
    (arena.folder / "mine.py").write_text((faulty / "unrepeatable.py").read_text())
    ran = arena("league", "--config", str(cup), "./mine.py", "random", "--rounds", "1")
    rows = json.loads(arena("standings", "--format", "json").out)
    assert ran.out.startswith("cup: 12 of 12 games\n")
    assert {row["agent"] for row in rows} == {"random", "the first", "mine", "random#2"}


@pytest.mark.parametrize("text", ["my notes\n" * 9, "x", "SQLite format 3"])
@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_a_foreign_file_is_not_changed(arena: Any, text: str, words: tuple[str, ...]) -> None:
    (arena.folder / "notes").write_text(text)
    ran = arena("league", "random", "greedy", "--db", "notes", *words)
    assert ran.error == "arena: notes is not a results file (not SQLite); use another file"
    assert ran.code == 1
    assert (arena.folder / "notes").read_text() == text


def test_a_database_of_another_program_is_not_changed(arena: Any) -> None:
    with closing(sqlite3.connect(arena.folder / "other.db")) as connection:
        connection.execute("CREATE TABLE mine (a)")
    before = (arena.folder / "other.db").read_bytes()
    ran = arena("league", "random", "greedy", "--db", "other.db")
    assert ran.error == "arena: other.db is a database of another program; use another file"
    assert ran.code == 1
    assert (arena.folder / "other.db").read_bytes() == before


def test_a_locked_file_is_one_line_for_every_command_that_writes(arena: Any) -> None:
    league = ("league", *FOUR[:2], *SHORT)
    arena(*league)
    commands = [
        ("exclude", "1", "--because", "x"), ("enter", "cup", "greedy"), ("withdraw", "cup", "random"),
        ("league", *FOUR[:2], "--turns", "6"),
    ]  # fmt: skip
    with closing(sqlite3.connect(arena.folder / "arena.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        running = [arena.start(*words) for words in commands]
        shown = arena("standings")
        ends = [(process.communicate(timeout=600), process.returncode) for process in running]
        connection.rollback()
    assert shown.code == 0  # commands that only read do not wait
    line = "arena: arena.db is locked by another program; wait until it is done and try again\n"
    assert ends == [(("", line), 1)] * len(commands)
    assert games(arena.folder / "arena.db") == 2
    assert arena("standings").out == shown.out


def test_a_full_disk_stops_a_league_in_one_line_and_loses_nothing(arena: Any) -> None:
    league = ["league", *FOUR, "--rounds", "4", "--turns", "40", "--name", "cup", "--json"]
    # A page limit makes SQLite report a full disk.
    code = (
        "import sys\n"
        "from results.store import file\n"
        "real = file.upgrade\n"
        "def upgrade(connection, *given, **named):\n"
        "    real(connection, *given, **named)\n"
        "    pages, = connection.execute('PRAGMA page_count').fetchone()\n"
        "    connection.execute(f'PRAGMA max_page_count = {pages + 5}')\n"
        "file.upgrade = upgrade\n"
        f"sys.argv = ['arena', *{league!r}]\n"
        "from arena.__main__ import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=arena.folder, env=arena.environment,
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    played = ran.stdout.count("\n")
    assert ran.returncode == 1
    assert ran.stderr.endswith(
        "arena: arena.db cannot grow (database or disk is full); make room and run the same command again\n"
    )
    assert "Traceback" not in ran.stderr
    assert 0 < played == games(arena.folder / "arena.db") < 48
    again = arena(*league)
    assert again.code == 0
    assert again.err.endswith(f"cup: {played} of 48 games were already stored\n")
    assert games(arena.folder / "arena.db") == 48

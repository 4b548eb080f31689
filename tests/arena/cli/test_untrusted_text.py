"""Text of participants is made harmless before it is printed, written or stored."""

import json
import shutil
import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: Escape sequences, a script, a bell, all kinds of line breaks, right-to-left text, a surrogate, a private character.
NASTY = (
    "\x1b[31mred<script>alert(1)</script>\x1b]0;title\x07 "
    "\r\x0b\x0c\x85\u2028\u2029 \u202egnp.exe\u2066 \ud800 \ue000 \x00 \x9b31m"
)

#: The part of it that a command line can contain: bytes that are not UTF-8 instead of the surrogate.
OWNER = NASTY.replace("\0", "").replace("\ud800", "\udcff")

PREAMBLE = f"""
import sys
from agents import BaseAgent

NASTY = {NASTY!r}
"""
AGENTS = {
    "raises": PREAMBLE
    + """
class Agent(BaseAgent):
    def act(self, state):
        raise ValueError(NASTY)
""",
    "raises_odd_type": PREAMBLE
    + """
class Agent(BaseAgent):
    def act(self, state):
        raise type(NASTY.replace("\\0", ""), (Exception,), {})(NASTY)
"""
    # A type's name must be writable as UTF-8.
    .replace('NASTY.replace("\\0", "")', 'NASTY.replace("\\0", "").replace("\\ud800", "")'),
    "prints": PREAMBLE
    + """
class Agent(BaseAgent):
    def act(self, state):
        sys.stdout.buffer.write(NASTY.encode("utf-8", "surrogatepass") + b"\\xff\\xfe\\n")
        sys.stderr.write(NASTY.replace("\\ud800", ""))
        sys.stdout.flush()
        return state.legal_moves[0]
""",
    "moves": PREAMBLE
    + """
class Agent(BaseAgent):
    def act(self, state):
        return NASTY
""",
    "opens": PREAMBLE
    + """
class Agent(BaseAgent):
    def act(self, state):
        open(b"/tmp/\\x1b[31m\\n\\xff\\xe2\\x80\\xae", "w")
""",
    "closes": PREAMBLE
    + """
class Agent(BaseAgent):
    def act(self, state):
        return state.legal_moves[0]

    def close(self):
        raise ValueError(NASTY)
""",
    "fails_to_import": PREAMBLE + "raise RuntimeError(NASTY)\n",
    "named_oddly": PREAMBLE
    + """
class Agent(BaseAgent):
    def __init__(self, name, color):
        super().__init__(NASTY, color)
        self.name = NASTY
        type(self).__name__ = NASTY.replace("\\0", "").replace("\\ud800", "")

    def act(self, state):
        raise ValueError(self.name)
""",
}


def unsafe(text: str) -> list[str]:
    """The characters of a text that are not visible; line feeds are allowed."""
    categories = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    return [repr(char) for char in text if char != "\n" and unicodedata.category(char) in categories]


def texts(database: Path) -> list[str]:
    """Every text in every table, JSON also decoded."""
    found: list[str] = []
    with sqlite3.connect(database) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            for row in connection.execute(f"SELECT * FROM {table}").fetchall():
                for value in row:
                    if isinstance(value, str):
                        found.append(value)
                        found += strings(decoded(value))
    connection.close()
    return found


def decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for item in pair for text in strings(item)]
    return [text for item in value for text in strings(item)] if isinstance(value, list) else []


def assert_visible(ran: Any) -> None:
    """A command printed neither a traceback of ours nor a character that acts on a terminal, in JSON neither."""
    assert "Traceback (most recent call last):\n  File" not in ran.err
    assert unsafe(ran.out) == []
    assert unsafe(ran.err) == []
    if ran.out.startswith(("{", "[{", "[\n")):
        assert [text for text in strings(json.loads(ran.out)) if unsafe(text)] == []


@pytest.mark.parametrize("agent", AGENTS)
def test_no_text_of_an_agent_is_printed_or_stored_raw(arena: Any, agent: str) -> None:
    (arena.folder / f"{agent}.py").write_text(AGENTS[agent], encoding="utf-8")
    runs = [
        arena("play", f"{agent}.py", "random", "--turns", "4"),
        arena("league", "random", f"{agent}.py", "--turns", "4"),
        arena("show", "1"),
        arena("show", "1", "--format", "json"),
        arena("show", "1", "--format", "pgn"),
        arena("why", "1"),
        arena("why", "1", "--json"),
        arena("standings", "--format", "csv"),
        arena("check", f"{agent}.py"),
        arena("check", f"{agent}.py", "--json"),
        arena("submit", f"{agent}.py", "--owner", OWNER, "--about", "\x1b[31m" * 400),
        arena("agents"),
        arena("agents", "--json"),
    ]
    assert "\\x1b[31m" in runs[2].out  # it is printed in a visible form
    for ran in runs:
        assert_visible(ran)
    assert [text for text in texts(arena.folder / "arena.db") if unsafe(text)] == []
    notes = arena.folder / "home" / "submissions.db"
    if notes.exists():
        assert [text for text in texts(notes) if unsafe(text)] == []


def test_owner_and_description_are_shortened_and_made_visible(arena: Any) -> None:
    (arena.folder / "honest.py").write_text(AGENTS["closes"])
    assert arena("submit", "honest.py", "--owner", "A\x1b[31mda", "--about", "long " * 1000).code == 0
    (row,) = [row for row in json.loads(arena("agents", "--json").out) if row["kind"] == "submitted"]
    assert row["owner"] == "A\\x1b[31mda"
    assert len(row["about"]) == 200


@pytest.fixture(scope="module")
def played(arena_in: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of a league of all these agents, after it has run, and its command."""
    folder = tmp_path_factory.mktemp("played")
    for name, code in AGENTS.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    # The agent that makes moves is entrant 1 and meets all others.
    agents = [f"{name}.py" for name in sorted(AGENTS, key=lambda name: name != "closes")]
    how = ("--format", "gauntlet", "--turns", "4", "--suspend-after", "never", "--name", "<b>cup")
    assert arena_in(folder)("league", *agents, *how).code == 0
    return folder, ["league", *agents, *how]


@pytest.fixture
def league(arena: Any, played: tuple[Path, list[str]]) -> list[str]:
    """The command of that league; a copy of its folder is here."""
    folder, command = played
    shutil.copytree(folder, arena.folder, dirs_exist_ok=True)
    return command


def test_no_other_command_prints_text_of_agents_raw(arena: Any, league: list[str]) -> None:
    records = range(1, 2 * len(AGENTS) - 1)
    reason = OWNER.replace("\udcff", "")
    runs = [
        arena("exclude", "1", "--because", reason),
        arena("withdraw", "<b>cup", "prints", "--because", reason),
        arena(*league),
        arena(*league, "--dry-run"),
        arena(*league, "--dry-run", "--json"),
        arena("standings"),
        arena("standings", "--format", "markdown"),
        arena("standings", "--format", "json"),
        arena("standings", "--crosstable"),
        arena("export", "--format", "csv"),
        arena("export", "--format", "pgn"),
        arena("export", "--format", "json"),
        arena("show", "1"),
        *(arena("why", str(number)) for number in records),
        *(arena("rerun", str(number)) for number in records[:4]),
        arena("rerun", "1", "--json"),
    ]
    for ran in runs:
        assert ran.code in (0, 1)  # some agents play differently in a rerun
        assert_visible(ran)
    assert [text for text in texts(arena.folder / "arena.db") if unsafe(text)] == []


def test_pages_escape_text_of_agents(arena: Any, league: list[str]) -> None:
    arena("exclude", "1", "--because", "<script>alert(1)</script>\x1b[31m")
    pages = [arena("show", str(number), "--format", "html").out for number in range(1, 2 * len(AGENTS) - 1)]
    pages.append(arena("report", "--replays", "games").out)
    pages += [page.read_text(encoding="utf-8") for page in (arena.folder / "games").iterdir()]
    assert len(pages) == 4 * (len(AGENTS) - 1) + 1
    for page in pages:
        assert page.startswith("<!DOCTYPE html>")
        assert unsafe(page) == []
        assert "<script>alert" not in page
        assert "<b>cup" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in pages[0]


def test_a_parquet_table_contains_no_control_characters(arena: Any, league: list[str]) -> None:
    import pandas

    assert arena("export", "--format", "parquet", "-o", "games.parquet").code == 0
    frame = pandas.read_parquet(arena.folder / "games.parquet")
    assert len(frame) == 2 * (len(AGENTS) - 1)
    assert [text for text in frame.to_numpy().ravel() if isinstance(text, str) and unsafe(text)] == []


@pytest.fixture(scope="module")
def cup(arena_in: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results file with the league cup."""
    folder = tmp_path_factory.mktemp("cup")
    assert arena_in(folder)("league", "random", "first_move", "--turns", "4", "--name", "cup").code == 0
    return folder / "arena.db"


@pytest.mark.parametrize(
    "words",
    [
        ("show", "1", "-o", "no/\x1b[31m\n"),
        ("export", "--format", "csv", "-o", "no/\x1b[31m\n"),
        ("report", "-o", "no/\x1b[31m\n"),
        ("standings", "--db", "\x1b[31m\n"),
        ("standings", "--league", "\x1b[31m\n"),
        ("league", "random", "greedy", "--db", "no\x1b[31m\n/a.db"),
        ("league", "--config", "\x1b[31m\n.toml"),
        ("league", "random", "\x1b[31m\n.py", "--dry-run"),
        ("enter", "\x1b[31m\n", "random"),
        ("enter", "cup", "\x1b[31m\n"),
        ("withdraw", "cup", "\x1b[31m\n"),
    ],
)
def test_errors_show_unprintable_names_in_a_visible_form(arena: Any, cup: Path, words: tuple[str, ...]) -> None:
    shutil.copy(cup, arena.folder)
    ran = arena(*words)
    assert ran.code in (1, 2)
    assert ran.err.count("\n") == 1
    assert "\\x1b[31m\\" in ran.err
    assert unsafe(ran.err) == []


@pytest.mark.parametrize("name", ["\x1b[31m.py", "a\nb.py", "\u202eyp.py"])
def test_files_with_unprintable_names_are_refused(arena: Any, name: str) -> None:
    (arena.folder / name).write_text(AGENTS["closes"])
    for command in ("submit", "check"):
        ran = arena(command, f"./{name}")
        assert ran.code == 2
        assert unsafe(ran.err) == []
        assert ran.err.count("\n") == 1


def test_unprintable_names_inside_a_folder_are_made_visible(arena: Any) -> None:
    folder = arena.folder / "team"
    folder.mkdir()
    (folder / "\x1b[31m\n.py").symlink_to("/etc/passwd")
    ran = arena("submit", "team")
    assert ran.code == 2
    assert "it is a symbolic link" in ran.err
    assert unsafe(ran.err) == []
    assert ran.err.count("\n") == 1


def test_a_module_with_an_unprintable_name_in_a_folder_can_play(arena: Any) -> None:
    folder = arena.folder / "team"
    folder.mkdir()
    (folder / "\x1b[31m.py").write_text(AGENTS["raises"])
    runs = [arena("play", "team/", "random", "--turns", "4"), arena("submit", "team"), arena("why", "1")]
    assert "ValueError" in runs[2].out
    for ran in runs:
        assert unsafe(ran.out) == []
        assert unsafe(ran.err) == []
    assert [text for text in texts(arena.folder / "arena.db") if unsafe(text)] == []

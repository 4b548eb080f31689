"""`arena show`, `arena report` and `arena export`: pages and files."""

import csv
import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas
import pytest

from arena.cli import run
from arena.cli.output import progress, replacing, write
from arena.errors import OutputError
from games.base import load
from results.record import EntrantRecord, FaultRecord, GameRecord, MoveRecord
from results.store.store import Store


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(name=name, agent=name, version="", hash=f"sha256:{name}", options={})


def record(key: str, game: str = "microchess", **changes: Any) -> GameRecord:
    """A game of four moves, each the first that is legal."""
    rules = load(game)
    state, moves = rules.start(), []
    for _ in range(4):
        moves.append(MoveRecord(str(state.legal_moves[0]), 0.5, 0.25, 0.125))
        state = state.forward(state.legal_moves[0])
    values: dict[str, Any] = {
        "league": "cup", "key": key, "game": rules.name, "parameters": dict(rules.parameters),
        "game_version": rules.version, "first": entrant("ada"), "second": entrant("bob"), "seconds": 10.0,
        "start": rules.start().text, "opening": (), "seed": 1, "seed_first": 2, "seed_second": 3,
        "moves": tuple(moves), "result": "1-0", "reason": "turn-limit", "detail": "", "fault": None, "notes": (),
        "output_first": "", "output_second": "", "sandbox": "full", "rules": "python", "host": "box", "versions": {},
        "started": "2026-05-09T12:00:00.000Z", "ended": "2026-05-09T12:00:01.000Z",
    }  # fmt: skip
    return GameRecord(**values | changes)


@dataclass(frozen=True)
class Ran:
    """The output and exit code of a command."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Shell:
    """The command line, run in this process."""

    folder: Path
    printed: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Ran:
        code = run(words)
        return Ran(code, *self.printed.readouterr())


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line beside the results of two leagues: "cup" of chess games, "discs" of Othello."""
    monkeypatch.chdir(tmp_path)
    with Store.open(Path("arena.db"), create=True) as store:
        for name in ("discs", "cup"):
            entrants = [entrant("ada"), entrant("bob")]
            store.create_league(name, kind="league", settings={"clock": "cpu"}, secret="s", entrants=entrants)
        fault = FaultRecord("first", "exception", "ValueError: no", {"traceback": "Traceback: no\n"})
        store.add(record("1"))
        store.add(record("2", "chess", result="0-1", reason="fault", fault=fault))
        store.add(record("3", "othello", league="discs"))
        store.exclude(1, because="the machine was overloaded")
    return Shell(tmp_path, capsys)


@pytest.mark.parametrize(("number", "game"), [(1, "microchess"), (2, "chess"), (3, "othello")])
def test_a_record_of_every_game_is_shown_as_a_page(arena: Shell, number: int, game: str) -> None:
    ran = arena("show", str(number), "--format", "html")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("<!DOCTYPE html>")
    assert f"record {number}, " in ran.out
    assert game in ran.out
    assert "<svg" in ran.out


def test_the_page_contains_the_explanation_of_the_game(arena: Shell) -> None:
    page = arena("show", "2", "--format", "html").out
    assert "ada lost record 2 by breaking the rule `exception`: in its 3rd move it raised ValueError: no." in page
    assert "Traceback: no" in page
    assert "9.5 s" in page  # the league charged CPU time: twice 0.25 s
    assert "This game does not count: the machine was overloaded" in arena("show", "1", "--format", "html").out


@pytest.mark.parametrize("form", ["text", "json", "pgn", "html"])
def test_output_can_replace_a_file(arena: Shell, form: str) -> None:
    printed = arena("show", "1", "--format", form).out
    place = arena.folder / "game"
    place.write_text("before" * 100_000)
    ran = arena("show", "1", "--format", form, "-o", "game")
    size = place.stat().st_size
    there = f"{size} bytes" if size < 1000 else f"{size / 1e3:.1f} kB"
    assert (ran.code, ran.out, ran.err) == (0, "", f"wrote game ({there})\n")
    assert place.read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("place", ["nowhere/game.html", "/dev/full", "."])
def test_a_file_that_cannot_be_written_is_one_line(arena: Shell, place: str) -> None:
    for words in (("show", "1", "--format", "html"), ("export", "--format", "csv"), ("report",),
                  ("export", "--format", "parquet")):  # fmt: skip
        ran = arena(*words, "-o", place)
        assert ran.code == 1
        assert ran.err.startswith(f"arena: cannot write {place}: ")
        assert ran.err.count("\n") == 1


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file may grow beyond a few bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("earlier", [None, "the page of last week"])
def test_a_full_disk_leaves_the_earlier_file(tmp_path: Path, earlier: str | None) -> None:
    page = tmp_path / "page.html"
    if earlier is not None:
        page.write_text(earlier)
    with pytest.raises(OutputError, match=r"^cannot write .*page\.html: File too large$"):
        write(page, ["x" * 60, "y" * 60])
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("page.html", earlier)][: bool(earlier)]


@pytest.mark.usefixtures("full_disk")
def test_a_table_that_does_not_fit_leaves_the_earlier_one(tmp_path: Path) -> None:
    place = tmp_path / "games.parquet"
    place.write_text("before")
    with pytest.raises(OSError, match="File too large"), replacing(place) as path:
        path.write_bytes(b"x" * 200)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    page.write_text("before")
    page.chmod(0o640)
    link.symlink_to("page.html")
    assert write(link, ["after"])
    assert link.is_symlink()
    assert (page.read_text(), page.stat().st_mode & 0o777) == ("after", 0o640)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_broken_link_is_replaced(tmp_path: Path) -> None:
    loop = tmp_path / "loop.html"
    loop.symlink_to("loop.html")
    assert write(loop, ["page"])
    assert loop.read_text() == "page"


def test_read_only_files_and_folders_are_written_directly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")
    with replacing(page) as path:
        assert path != page
        path.write_text("after")
    for denied in (page, tmp_path):  # root may write everywhere
        monkeypatch.setattr(os, "access", lambda path, _mode, denied=denied: path != denied)
        with replacing(page) as path:
            assert path == page


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write(tmp_path / "page.html", ["new"])
    assert (tmp_path / "page.html").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_pipes_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert write(pipe, ["through"])
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_stdout_by_its_path_is_written_directly(arena: Shell, place: str) -> None:
    words = [sys.executable, "-P", "-m", "arena", "export", "--format", "csv"]
    wanted = arena("export", "--format", "csv").out.encode()
    piped = subprocess.run([*words, "-o", place], cwd=arena.folder, capture_output=True, check=True)
    assert piped.stdout == wanted
    with tempfile.TemporaryFile() as nameless:
        subprocess.run([*words, "-o", place], cwd=arena.folder, stdout=nameless, check=True)
        nameless.seek(0)
        assert nameless.read() == wanted


def test_the_results_file_is_never_overwritten(arena: Shell) -> None:
    before = (arena.folder / "arena.db").read_bytes()
    (arena.folder / "alias").symlink_to("arena.db")
    for words in (("show", "1"), ("export", "--format", "json"), ("report",), ("export", "--format", "parquet")):
        ran = arena(*words, "--output", "alias")
        assert (ran.code, ran.err) == (2, "arena: alias is the results file; write to another file\n")
    assert (arena.folder / "arena.db").read_bytes() == before


def test_a_record_that_cannot_be_replayed_is_shown_as_far_as_possible(arena: Shell) -> None:
    with Store.open(arena.folder / "arena.db", create=False) as store:
        store.add(record("9", moves=(MoveRecord("a1a1"),)))
    for form in ("text", "html"):
        ran = arena("show", "4", "--format", form)
        assert ran.code == 0
        assert "turn 1 cannot be replayed" in ran.out


def test_text_and_json_contain_the_reason_of_an_exclusion(arena: Shell) -> None:
    assert arena("show", "1").out.splitlines()[1] == "excluded the machine was overloaded"
    assert "excluded" not in arena("show", "2").out
    assert json.loads(arena("show", "1", "--format", "json").out)["excluded"] == "the machine was overloaded"
    assert json.loads(arena("show", "2", "--format", "json").out)["excluded"] is None


def test_games_are_exported_as_csv(arena: Shell) -> None:
    rows = list(csv.DictReader(io.StringIO(arena("export", "--format", "csv").out)))
    assert [(row["id"], row["league"], row["game"]) for row in rows] == [
        ("1", "cup", "microchess"), ("2", "cup", "chess"), ("3", "discs", "othello"),
    ]  # fmt: skip
    assert [row["excluded"] for row in rows] == ["the machine was overloaded", "", ""]


def test_games_of_one_league_are_exported_as_json(arena: Shell) -> None:
    games = json.loads(arena("export", "--format", "json", "--league", "cup").out)
    assert [game["id"] for game in games] == [1, 2]
    assert games[1]["fault"]["evidence"] == {"traceback": "Traceback: no\n"}
    assert [game["excluded"] for game in games] == ["the machine was overloaded", None]


def test_games_without_pgn_are_counted_on_stderr(arena: Shell) -> None:
    ran = arena("export", "--format", "pgn")
    assert ran.code == 0
    assert ran.out.count("[White ") == 2
    assert ran.err == "left out: 1 game of othello, which has no PGN\n"


def test_an_export_without_games_fails_and_creates_no_file(arena: Shell) -> None:
    ran = arena("export", "--format", "pgn", "--league", "discs", "-o", "games.pgn")
    assert ran.code == 1
    assert ran.err.endswith("no game can be written as PGN; use another format\n")
    assert not (arena.folder / "games.pgn").exists()


def test_parquet_needs_a_file(arena: Shell) -> None:
    ran = arena("export", "--format", "parquet")
    assert (ran.code, ran.err) == (2, "arena: Parquet cannot be written to stdout; name a file with --output\n")
    assert arena("export", "--format", "parquet", "-o", "games.parquet").code == 0
    assert pandas.read_parquet(arena.folder / "games.parquet")["id"].tolist() == [1, 2, 3]


def test_parquet_without_pyarrow_is_one_line(arena: Shell) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "sys.argv = ['arena', 'export', '--format', 'parquet', '-o', 'games.parquet']\n"
        "from arena.__main__ import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=arena.folder, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr == "arena: Parquet needs pyarrow; install it with: pip install pyarrow\n"


def test_csv_and_json_are_written_without_pandas(arena: Shell) -> None:
    for form in ("csv", "json", "pgn"):
        code = (
            f"import sys\nfrom arena.cli import run\nassert run(['export', '--format', '{form}', '-o', 'out']) == 0\n"
            "print(*{'pandas', 'numpy', 'pyarrow', 'torch'} & set(sys.modules))"
        )
        ran = subprocess.run(
            [sys.executable, "-P", "-c", code], cwd=arena.folder, capture_output=True, text=True, check=True
        )
        assert ran.stdout == "\n"


@pytest.mark.parametrize("command", [("export", "--format", "csv"), ("report",)])
def test_an_unknown_league_is_an_error(arena: Shell, command: tuple[str, ...]) -> None:
    ran = arena(*command, "--league", "winter")
    assert ran.code == 1
    assert "no league called 'winter'" in ran.err
    assert "cup" in ran.err


def test_a_league_is_reported_on_one_page(arena: Shell) -> None:
    ran = arena("report")
    assert (ran.code, ran.err) == (0, "")
    assert "<title>cup: standings</title>" in ran.out
    assert "1 game, 2 entrants" in ran.out
    assert "excluded: the machine was overloaded" in ran.out
    assert "<title>discs: standings</title>" in arena("report", "--league", "discs").out


def test_a_report_links_to_its_replays(arena: Shell) -> None:
    ran = arena("report", "-o", "site.html", "--replays", "pages/of all games")
    assert (ran.code, ran.out) == (0, "")
    assert re.fullmatch(r"wrote site\.html \([\d.]+ kB\)\nwrote 2 replays into pages/of all games\n", ran.err)
    folder = arena.folder / "pages" / "of all games"
    assert sorted(file.name for file in folder.iterdir()) == ["record-1.html", "record-2.html"]
    assert '<a href="pages/of%20all%20games/record-2.html">2</a>' in (arena.folder / "site.html").read_text()
    assert "it raised ValueError: no" in (folder / "record-2.html").read_text()


def test_links_are_relative_to_the_page(arena: Shell) -> None:
    (arena.folder / "site").mkdir()
    assert arena("report", "-o", "site/index.html", "--replays", "site/games").code == 0
    assert '<a href="games/record-1.html">' in (arena.folder / "site" / "index.html").read_text()
    assert arena("report", "-o", "site/index.html", "--replays", "games").code == 0
    assert '<a href="../games/record-1.html">' in (arena.folder / "site" / "index.html").read_text()


def test_a_folder_of_replays_that_cannot_be_written_is_one_line(arena: Shell) -> None:
    (arena.folder / "file").touch()
    ran = arena("report", "--replays", "file/inside")
    assert ran.code == 1
    assert ran.err.startswith("arena: cannot write file/inside: ")
    assert ran.err.count("\n") == 1


def test_on_a_terminal_long_work_counts_what_is_done(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    ticks = iter([0.0, 1.0, 3.0, 3.1])
    assert list(progress("abc", "game", clock=lambda: next(ticks))) == ["a", "b", "c"]
    assert capsys.readouterr().err == "\r\x1b[K2 games\r\x1b[K"


@pytest.mark.parametrize("form", ["csv", "parquet", "pgn"])
def test_every_export_shows_its_progress(arena: Shell, monkeypatch: pytest.MonkeyPatch, capsys: Any, form: str) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("arena.cli.output._PATIENCE", -1.0)
    monkeypatch.setattr("arena.cli.output._PAUSE", -1.0)
    place = arena.folder / f"progress.{form}"
    assert run(["export", "--format", form, "--db", str(arena.folder / "arena.db"), "-o", str(place)]) == 0
    shown = capsys.readouterr().err
    assert "\r\x1b[K1 game\r\x1b[K2 games" in shown
    assert f"wrote {place}" in shown

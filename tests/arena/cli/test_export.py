"""`arena export` and `arena show`: the notations of each game."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli import run
from games.base import load
from results.notation import mushroom_log, sgf, transcript
from results.record import EntrantRecord, FaultRecord, GameRecord, MoveRecord
from results.store.store import Store

#: The games that are stored, in this order from record 1 on, and the notation of each.
GAMES = {"go:size=5": "sgf", "gomoku": "sgf", "othello": "transcript", "mushroom": "log", "microchess": "pgn"}
READERS: dict[str, Any] = {"sgf": sgf.read, "transcript": transcript.read, "log": mushroom_log.read}
OUT = "the machine\nwas overloaded"


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(name=name, agent=name, version="", hash=f"sha256:{name}", options={})


def record(key: str, game: str, **changes: Any) -> GameRecord:
    """A game of four moves, each the first that is legal, then a fault."""
    rules = load(game)
    state, moves = rules.start(1), []
    for _ in range(4):
        moves.append(MoveRecord(str(state.legal_moves[0]), 0.5))
        state = state.forward(state.legal_moves[0])
    values: dict[str, Any] = {
        "league": "cup", "key": key, "game": rules.name, "parameters": dict(rules.parameters),
        "game_version": rules.version, "first": entrant("ada"), "second": entrant("]\\\"b"), "seconds": 10.0,
        "start": rules.start(1).text, "opening": (), "seed": 1, "seed_first": 2, "seed_second": 3,
        "moves": tuple(moves), "result": "0-1", "reason": "fault", "detail": "",
        "fault": FaultRecord("first", "time", "used up its 10 s", {}), "notes": (), "output_first": "",
        "output_second": "", "sandbox": "full", "rules": "python", "host": "box", "versions": {},
        "started": "2026-05-09T12:00:00.000Z", "ended": "2026-05-09T12:00:01.000Z",
    }  # fmt: skip
    return GameRecord(**values | changes)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of each kind, and record 3 is excluded."""
    path = tmp_path_factory.mktemp("formats") / "arena.db"
    with Store.open(path, create=True) as store:
        entrants = [entrant("ada"), entrant(']\\"b')]
        store.create_league("cup", kind="league", settings={"clock": "cpu"}, secret="s", entrants=entrants)
        for number, game in enumerate(GAMES, 1):
            store.add(record(str(number), game))
        store.exclude(3, because=OUT)
    return path


@pytest.fixture
def here(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the results in it."""
    shutil.copy(database, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(folder: Path, *records: GameRecord) -> None:
    with Store.open(folder / "arena.db", create=False) as store:
        for one in records:
            store.add(one)


def stored(folder: Path, number: int) -> GameRecord:
    with Store.read(folder / "arena.db") as store:
        return store.record(number)


@pytest.mark.parametrize(("number", "form"), [(1, "sgf"), (2, "sgf"), (3, "transcript"), (4, "log")])
def test_a_game_is_shown_in_its_notation_and_read_back(
    here: Path, capsys: pytest.CaptureFixture[str], number: int, form: str
) -> None:
    assert run(["show", str(number), "--format", form]) == 0
    printed = capsys.readouterr()
    (read,) = READERS[form](printed.out)
    expected = stored(here, number)
    assert (read.start, read.result) == (expected.start, expected.result)
    assert read.moves == tuple(move.text for move in expected.moves)
    assert printed.err == ""
    assert run(["show", str(number), "--format", form, "-o", "game"]) == 0
    assert (here / "game").read_text(encoding="utf-8") == printed.out


@pytest.mark.parametrize(
    ("number", "form", "line"),
    [
        (4, "sgf", "only go and gomoku have SGF, not mushroom"),
        (1, "transcript", "only othello has transcripts, not go"),
        (5, "log", "only mushroom has logs, not microchess"),
        (2, "pgn", "only chess and microchess have PGN, not gomoku"),
    ],
)
def test_a_game_without_the_notation_is_an_error_of_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], number: int, form: str, line: str
) -> None:
    assert run(["show", str(number), "--format", form, "-o", "game"]) == 2
    assert capsys.readouterr() == ("", f"arena: {line}; use another format\n")
    assert not (here / "game").exists()


def test_games_of_go_and_gomoku_are_exported_as_sgf(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(here, record("9", "go:size=5", moves=(MoveRecord("Z1"),)))
    assert run(["export", "--format", "sgf"]) == 0
    out, err = capsys.readouterr()
    assert [(game.game.name, game.headers["PW"], game.headers["RE"]) for game in sgf.read(out)] == [
        ("go", "]\\\"b", "W+T"), ("gomoku", "]\\\"b", "W+T"),
    ]  # fmt: skip
    assert err.splitlines() == [
        "left out: 1 game of othello, which has no SGF",
        "left out: 1 game of mushroom, which has no SGF",
        "left out: 1 game of microchess, which has no SGF",
        "left out: 1 game of go that cannot be replayed under the current rules",
    ]


def test_games_of_othello_are_exported_as_transcripts(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(here, record("9", "othello"))
    assert run(["export", "--format", "transcript", "--league", "cup", "-o", "games"]) == 0
    one, two = transcript.read((here / "games").read_text())
    assert one.headers["Excluded"] == "the machine\\x0awas overloaded"
    assert "Excluded" not in two.headers
    assert (two.headers["Second"], two.headers["Fault"]) == (']\\"b', "first time")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("which has no transcripts\n") == 4


def test_games_of_mushroom_are_exported_as_logs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    owned = record("10", "mushroom", league="late", start="AB A 0", parameters={"rows": 1, "columns": 2}, moves=())
    done = record(
        "9", "mushroom", league="late", first=entrant("x\nABORT 1 TLE"), fault=None, reason="adjudication", result="1-0"
    )  # fmt: skip
    with Store.open(here / "arena.db", create=False) as store:
        entrants = [done.first, done.second, owned.first]
        store.create_league("late", kind="league", settings={}, secret="s", entrants=entrants)
    add(here, done, owned)
    assert run(["export", "--format", "log"]) == 0
    out, err = capsys.readouterr()
    one, two = mushroom_log.read(out)
    assert (one.result, one.abort, two.abort) == ("0-1", "TLE", "")
    assert [line for line in out.splitlines() if line.startswith("#")] == [
        '# record 4: ada against ]\\"b', '# record 6: x\\x0aABORT 1 TLE against ]\\"b',
    ]  # fmt: skip
    assert "left out: 1 game of mushroom from a start position that logs cannot express\n" in err


@pytest.mark.parametrize(
    ("form", "name"), [("pgn", "PGN"), ("sgf", "SGF"), ("transcript", "transcripts"), ("log", "logs")]
)
def test_an_export_without_games_fails_and_creates_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(Path("arena.db"), create=True) as store:
        store.create_league("cup", kind="league", settings={}, secret="s", entrants=[entrant("ada"), entrant("bob")])
    assert run(["export", "--format", form, "-o", "games"]) == 1
    assert capsys.readouterr().err.endswith(f"no game can be written as {name}; use another format\n")
    assert not (tmp_path / "games").exists()


def test_notations_are_written_without_heavy_imports(here: Path) -> None:
    code = (
        "import sys\nfrom arena.cli import run\n"
        "for form in ('sgf', 'transcript', 'log'):\n    assert run(['export', '--format', form, '-o', 'out']) == 0\n"
        "print(*{'chess.pgn', 'pandas', 'numpy', 'pyarrow', 'torch'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", code], cwd=here, capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"

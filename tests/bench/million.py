"""What a results file with a million games costs, in CPU time: `million.py FOLDER` makes the files and measures.

The games are copies of a few that were played at random, between entrants drawn at random. SQLite makes the copies; a
small file shows that they are counted as `Store.add` counts them. `million.py FOLDER 10000` makes smaller files.
"""

import json
import random
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from arena.entrants.submissions import Submissions
from arena.web import pages
from arena.web.agent_facts import agent_facts
from arena.web.shell import Visit
from games.base import load
from results.record import EntrantRecord, FaultRecord, GameRecord, MoveRecord
from results.standings.ratings import rate
from results.standings.table import rows
from results.store.schema import MIGRATIONS, migrate
from results.store.store import Store
from results.store.tallies import count_games, fill_summaries

RESULTS: Final = Path(__file__).parent / "results" / "million.json"
FIELDS: Final = (20, 10_000)
#: The version of a file without tallies.
OLD: Final = 9
TEMPLATES: Final = 50
ADDED: Final = 200


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    value: float
    unit: str = "s"
    asked: str = "-"


def entrant(number: int) -> EntrantRecord:
    """An entrant of the league."""
    return EntrantRecord(f"agent {number}", "random", "1", f"sha256:{number:064}", {"depth": 3})


def template(number: int) -> GameRecord:
    """A game of microchess at random; one in fifty ends by a fault."""
    rng, state, moves = random.Random(number), load("microchess").start(), []
    start = state.text
    while not state.is_game_over():
        move = rng.choice(list(state.legal_moves))
        moves.append(MoveRecord(str(move), rng.random(), rng.random(), rng.random() / 100))
        state = state.forward(move)
    fault = FaultRecord("second", "time", "used up its 400 s", {"cpu": "400.1"}, "act", 30) if number == 0 else None
    return GameRecord(
        league="many", key=f"template {number}", game="microchess", parameters={"turns": 80}, game_version=1,
        first=entrant(1), second=entrant(2), seconds=400.0, start=start, opening=tuple(move.text for move in moves[:4]),
        seed=rng.getrandbits(60), seed_first=rng.getrandbits(60), seed_second=rng.getrandbits(60), moves=tuple(moves),
        result="1-0" if fault else rng.choice(["1-0", "0-1", "1/2-1/2"]), reason="fault" if fault else "turn-limit",
        detail="material 13-5", fault=fault, notes=(), output_first="", output_second="", sandbox="full",
        rules="kernel", host="box", versions={"arena": "0.1.0"}, started="2026-11-19T12:00:00.000Z",
        ended="2026-11-19T12:01:00.000Z",
    )  # fmt: skip


def generate(path: Path, *, entrants: int, games: int, version: int = len(MIGRATIONS)) -> None:
    """A file of this version with so many games of the league "many"."""
    templates = path.with_name("templates.db")
    templates.unlink(missing_ok=True)
    with Store.open(templates, create=True) as store:
        store.create_league("many", kind="league", settings={}, secret="s", entrants=[entrant(1), entrant(2)])
        for number in range(TEMPLATES):
            store.add(template(number))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = MEMORY")
        migrate(connection, MIGRATIONS[:version])
        connection.execute("ATTACH ? AS source", (str(templates),))
        connection.execute("BEGIN")
        connection.execute("INSERT INTO league SELECT * FROM source.league")
        _copy(connection, "entrant", {"number": "?1", "name": "'agent ' || ?1"}, [(n,) for n in range(1, entrants + 1)])
        given = {"id": "?2", "key": "?2 || ':' || ?3 || '-' || ?4", "first": "?3", "second": "?4"}
        rng, field = random.Random(1), range(1, entrants + 1)
        drawn = ((1 + rng.randrange(TEMPLATES), number, *rng.sample(field, 2)) for number in range(1, games + 1))
        _copy(connection, "record", given, drawn)
        if version == len(MIGRATIONS):
            fill_summaries(connection)
            count_games(connection)
        connection.execute("COMMIT")


def _copy(connection: sqlite3.Connection, table: str, given: dict[str, str], drawn: object) -> None:
    """Copies of rows with some columns changed; the first value says which row is copied."""
    columns = [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
    values = ", ".join(given.get(column, column) for column in columns)
    which = "number = 1" if table == "entrant" else "id = ?1"
    connection.executemany(f"INSERT INTO main.{table} SELECT {values} FROM source.{table} WHERE {which}", drawn)


def check(folder: Path) -> None:
    """The generated games are counted as the same games that `Store.add` stores."""
    copied, added = folder / "copied.db", folder / "added.db"
    for path in (copied, added):
        path.unlink(missing_ok=True)
    generate(copied, entrants=5, games=300)
    with Store.open(copied, create=False) as one, Store.open(added, create=True) as two:
        entrants = one.known("many").entrants
        two.create_league("many", kind="league", settings={}, secret="s", entrants=entrants)
        for record in one.records():
            two.add(record)
        assert one.pairs("many") == two.pairs("many")
        assert one.load("many") == two.load("many")
        assert one.lines(one.ids()) == two.lines(two.ids())
        assert list(one.rows()) == list(two.rows())


def cpu(run: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    began = time.process_time()
    run()
    return time.process_time() - began


def arena(*words: str) -> tuple[float, float]:
    """The CPU seconds of a command, its start included, and the most memory that it held, in MB."""
    code = (
        "import resource, sys; from arena.cli import run; code = run(sys.argv[1:]); "
        "used = resource.getrusage(resource.RUSAGE_SELF); "
        "print(code, used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-P", "-c", code, *words]
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    ended, seconds, kilobytes = ran.stderr.splitlines()[-1].split()
    assert ended == "0", ran.stderr
    return float(seconds), float(kilobytes) / 1024


def commands(path: Path, games: int) -> list[Figure]:
    """The commands that show results."""
    shown = {
        "standings": ["standings"],
        "show": ["show", str(games // 2)],
        "records": ["records"],
        "records --agent": ["records", "--agent", "agent 7"],
        "records --faults": ["records", "--faults"],
        "report --agent": ["report", "--agent", "agent 7"],
    }
    return [
        Figure(f"`arena {what}`", arena(*words, "--db", str(path))[0], asked="< 1 s") for what, words in shown.items()
    ]


def report(path: Path) -> list[Figure]:
    """The page of the league."""
    page = path.with_suffix(".html")
    seconds = arena("report", "--db", str(path), "-o", str(page))[0]
    return [Figure("`arena report`", seconds), Figure("its page", page.stat().st_size / 1e6, "MB", "< 2 MB")]


def exports(path: Path, *forms: str) -> list[Figure]:
    """The exports, and the most memory that they held."""
    found = []
    for form in forms:
        seconds, megabytes = arena("export", "--format", form, "--db", str(path), "-o", f"{path.parent}/games.{form}")
        found.append(Figure(f"`arena export --format {form}`", seconds, asked="< 30 s" if form == "csv" else "-"))
        found.append(Figure("memory of it, at most", megabytes, "MB"))
    return found


def calls(path: Path) -> list[Figure]:
    """What a running league and the site ask for."""
    visit = Visit()
    with Store.open(path, create=False) as store:
        league = store.known("many")
        record = replace(template(1), first=league.entrants[3], second=league.entrants[4])
        begun = time.time_ns()

        def add() -> None:
            for number in range(ADDED):
                store.add(replace(record, key=f"{begun}-{number}"))

        pairs = store.pairs("many")
        names = [entrant.name for entrant in league.entrants]
        return [
            Figure("`Store.add`", 1000 * cpu(add) / ADDED, "ms", "≤ 2 ms"),
            Figure("the keys, at the start of a league", cpu(lambda: store.keys("many"))),
            Figure("the scores, for a Swiss or a knockout", cpu(lambda: store.scores("many"))),
            Figure("the counts of all pairs", cpu(lambda: store.pairs("many"))),
            Figure("the table without ratings", cpu(lambda: rows(store, league, pairs))),
            Figure("the ratings", cpu(lambda: rate(names, pairs))),
            Figure("site: page 500 of the games", cpu(
                lambda: pages.games_page(store, visit, league="many", agent=None, page=500)), asked="< 1 s"),
            Figure("site: the games of one agent", cpu(
                lambda: pages.games_page(store, visit, league=None, agent="agent 7", page=0)), asked="< 1 s"),
            Figure("site: the page of one agent", cpu(
                lambda: agent_facts(store, Submissions(path.parent), "agent 7")), asked="< 1 s"),
        ]  # fmt: skip


def migration(folder: Path, games: int) -> list[Figure]:
    """A file of the version before tallies is brought up to date."""
    path = folder / "old.db"
    for old in folder.glob("old*"):
        old.unlink()
    generate(path, entrants=20, games=games, version=OLD)
    began = time.perf_counter()
    seconds = cpu(lambda: Store.open(path, create=False).close())
    took = time.perf_counter() - began
    assert path.with_name(f"old-schema-{OLD}.db").exists()
    return [Figure(f"bringing {games:,} games up to date", seconds),
            Figure("the same by the clock, backup included", took, asked="< 60 s"),
            *exports(path, "json")]  # fmt: skip


def main() -> None:
    """Make the files, unless they are there, and measure."""
    folder, games = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    folder.mkdir(parents=True, exist_ok=True)
    check(folder)
    found: dict[str, list[Figure]] = {}
    for entrants in FIELDS:
        path = folder / f"{games}-{entrants}.db"
        if not path.exists():
            generate(path, entrants=entrants, games=games)
        found[f"{entrants} entrants"] = figures = [
            *calls(path), *commands(path, games), *report(path), *exports(path, "csv", "parquet")
        ]  # fmt: skip
        for figure in figures:
            print(f"| {entrants} | {figure.what} | {figure.value:.3g} {figure.unit} | {figure.asked} |", flush=True)
    found["migration"] = migration(folder, games // 10)
    for figure in found["migration"]:
        print(f"| | {figure.what} | {figure.value:.3g} {figure.unit} | {figure.asked} |", flush=True)
    if games == 1_000_000:
        tables = {name: [asdict(figure) for figure in figures] for name, figures in found.items()}
        stored = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "games": games, "python": sys.version.split()[0], **tables}
        RESULTS.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"most memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()

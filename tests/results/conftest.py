"""Records and stores to test with."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from results.record import EntrantRecord, GameRecord, MoveRecord
from results.standings.table import Row
from results.store.store import Store

START = "knbr/p3/4/3P/RBNK w Qk - 0 1"


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(name=name, agent=f"agents.{name}", version="1.2", hash=f"sha256:{name}", options={"depth": 3})


@pytest.fixture
def make_record() -> Callable[..., GameRecord]:
    """A plain game that first won, with any field given another value; players are given by name."""

    def make(key: str = "1:1-2", *, first: str = "ada", second: str = "bob", **fields: Any) -> GameRecord:
        values: dict[str, Any] = {
            "league": "spring",
            "game": "microchess",
            "parameters": {"turns": 80},
            "game_version": 1,
            "seconds": 400.0,
            "start": START,
            "opening": (),
            "seed": 7,
            "seed_first": 71,
            "seed_second": 72,
            "moves": (MoveRecord("c1b3", 0.5, 0.4, 0.01), MoveRecord("b5c3", 0.25, 0.2)),
            "result": "1-0",
            "reason": "checkmate",
            "detail": "",
            "fault": None,
            "notes": (),
            "output_first": "",
            "output_second": "",
            "sandbox": "full",
            "rules": "kernel",
            "host": "box",
            "versions": {"arena": "0.1.0"},
            "started": "2026-05-09T12:00:00.000Z",
            "ended": "2026-05-09T12:00:01.000Z",
        }
        return GameRecord(key=key, first=entrant(first), second=entrant(second), **(values | fields))

    return make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A path for a results file."""
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """An open store with the league "spring" of ada, bob and eve."""
    with Store.open(path, create=True) as opened:
        entrants = [entrant(name) for name in ("ada", "bob", "eve")]
        opened.create_league("spring", kind="league", settings={"turns": 80}, secret="s3", entrants=entrants)
        yield opened


@pytest.fixture(scope="session")
def ranking() -> Callable[[list[Row]], list[tuple[int, str]]]:
    """The rank and name of each row of standings."""
    return lambda rows: [(row.rank, row.agent) for row in rows]


@pytest.fixture(scope="session")
def column() -> Callable[[list[Row], str], dict[str, Any]]:
    """One column of standings, by the names of the agents."""
    return lambda rows, name: {row.agent: getattr(row, name) for row in rows}

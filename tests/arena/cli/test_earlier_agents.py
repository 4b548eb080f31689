"""Agents of the earlier Microchess platform as entrants, in the sandbox."""

from pathlib import Path
from typing import Any

from results.store.store import Store

AGENTS = sorted((Path(__file__).parents[2] / "agents" / "earlier").glob("*.py"))


def test_the_search_agents_of_the_earlier_platform_play_a_league_unchanged(arena: Any) -> None:
    ran = arena("league", *map(str, AGENTS), "--turns", "6", "--name", "old", "--seed", "1")
    assert ran.code == 0, ran.err
    assert "does not start" not in ran.err
    with Store.read(arena.folder / "arena.db") as store:
        records = list(store.counted("old"))
    assert len(records) == 20
    assert [record.fault for record in records] == [None] * 20
    assert {record.sandbox for record in records} <= {"full", "reduced"}

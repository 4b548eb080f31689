"""Tables whose games ran with too little CPU say so."""

import json
from dataclasses import replace
from typing import Any

from results.load import Load
from results.record import MoveRecord
from results.store.store import Store


def starve(arena: Any, *, wait: float) -> None:
    """Store every game of the league `cup` as a league `busy` whose moves had to wait for a CPU."""
    with Store.open(arena.folder / "arena.db", create=False) as store:
        cup = store.known("cup")
        store.create_league("busy", kind="league", settings=cup.settings, secret="s", entrants=cup.entrants)
        for record in list(store.records("cup")):
            moves = tuple(MoveRecord(move.text, wall=0.08, cpu=0.08 - wait, wait=wait) for move in record.moves)
            store.add(replace(record, id=None, league="busy", moves=moves))


def test_a_table_says_that_its_games_had_too_little_cpu(arena: Any) -> None:
    assert arena("benchmark", "random", "first_move", "--games", "2", "--turns", "4", "--name", "cup").code == 0
    starve(arena, wait=0.06)
    sentence = "2 of 2 games ran with too little CPU: in 75 % of the time of their moves, players waited for a core."
    assert sentence in arena("standings", "--league", "busy").out
    ran = arena("standings", "--league", "busy", "--format", "json")
    assert sentence in ran.err
    assert len(json.loads(ran.out)) == 2
    assert arena("report", "--league", "busy", "--output", "page.html").code == 0
    assert sentence in arena.folder.joinpath("page.html").read_text()


def test_a_short_wait_is_not_mentioned() -> None:
    assert Load.of([(10.0, 1.9), (0.2, 0.09)]).notes == []
    assert Load.of([(10.0, 2.0), *[(10.0, 0.0)] * 19]).notes == []  # one game of twenty
    (note,) = Load.of([(10.0, 2.0), *[(10.0, 0.0)] * 18]).notes
    assert note.startswith("1 of 19 games ran with too little CPU: in 20 % of the time")

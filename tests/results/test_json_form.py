"""What `--json` prints."""

import json
from dataclasses import replace

import pytest

from games.base import Margin
from results.notation.json_form import brief, full
from results.record import FaultRecord, MoveRecord

ASKED = {
    "id", "game", "parameters", "first", "second", "result", "score_first", "reason", "detail", "margin", "fault",
    "turns", "moves", "seconds_first", "seconds_second", "seed", "opening", "sandbox", "league", "key", "start",
    "started", "ended",
}  # fmt: skip


@pytest.fixture
def record(make_record):
    plain = make_record(
        id=12,
        opening=("c1d3",),
        moves=(MoveRecord("c1d3"), MoveRecord("b5a3", 0.25, 0.2), MoveRecord("d2d4", 1.5, 1.25, 0.125)),
        result="0-1",
        reason="fault",
        detail="after three moves",
        fault=FaultRecord("first", "exception", "ValueError", {"traceback": "Traceback …"}, "act", 4),
        notes=(FaultRecord("second", "exit", "signal 9", {"exit": "1"}, "close"),),
        margin=Margin(13, 5, "material"),
        output_first="hi",
    )
    return replace(plain, first=replace(plain.first, path="bots/ada.py", grants={"memory": 2}))


def test_the_brief_form_of_a_game(record):
    assert brief(record) == {
        "id": 12,
        "league": "spring",
        "key": "1:1-2",
        "game": "microchess",
        "parameters": {"turns": 80},
        "first": "ada",
        "second": "bob",
        "result": "0-1",
        "score_first": 0.0,
        "reason": "fault",
        "detail": "after three moves",
        "margin": {"first": 13.0, "second": 5.0, "unit": "material"},
        "fault": {"player": "first", "rule": "exception", "detail": "ValueError", "phase": "act", "turn": 4},
        "turns": 3,
        "moves": ["c1d3", "b5a3", "d2d4"],
        "seconds_first": 1.5,
        "seconds_second": 0.25,
        "seed": 7,
        "start": record.start,
        "opening": ["c1d3"],
        "sandbox": "full",
        "started": "2026-05-09T12:00:00.000Z",
        "ended": "2026-05-09T12:00:01.000Z",
    }


def test_the_brief_form_has_all_documented_keys(record):
    assert set(brief(record)) == ASKED


def test_a_game_without_fault_has_null(make_record):
    assert brief(make_record())["fault"] is None
    assert full(make_record())["fault"] is None
    assert brief(make_record())["margin"] is None


def test_the_full_form_extends_the_brief_form(record):
    found = full(record)
    assert {name: found[name] for name in ASKED - {"fault"}} == {
        name: value for name, value in brief(record).items() if name != "fault"
    }
    assert found["fault"] == brief(record)["fault"] | {"evidence": {"traceback": "Traceback …"}}
    assert found["notes"] == [
        {
            "player": "second", "rule": "exit", "detail": "signal 9", "evidence": {"exit": "1"}, "phase": "close",
            "turn": None,
        }
    ]  # fmt: skip
    assert found["move_seconds"][2] == {"wall": 1.5, "cpu": 1.25, "wait": 0.125}
    assert found["entrants"]["first"] == {
        "name": "ada",
        "agent": "agents.ada",
        "version": "1.2",
        "hash": "sha256:ada",
        "options": {"depth": 3},
        "path": "bots/ada.py",
        "grants": {"memory": 2},
    }


def test_the_full_form_holds_every_field_of_a_record(record):
    renamed = {"first", "second"}
    fields = set(type(record).__dataclass_fields__)
    assert fields - renamed <= set(full(record))


@pytest.mark.parametrize("form", [brief, full])
def test_both_forms_can_be_written_as_json(record, form):
    assert json.loads(json.dumps(form(record))) == form(record)


def test_seconds_belong_to_the_player_that_moved(make_record):
    times = tuple(MoveRecord("x", wall) for wall in (1.0, 20.0, 300.0))
    ours = brief(make_record(moves=times))
    assert (ours["seconds_first"], ours["seconds_second"]) == (301.0, 20.0)
    theirs = brief(make_record(moves=times, mover="second"))
    assert (theirs["seconds_first"], theirs["seconds_second"]) == (20.0, 301.0)

"""A results file of schema 2, written by the version before facts were stored as data, is brought up to date."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from games.base import Margin
from results.errors import Damaged, ReadOnly
from results.standings.table import table
from results.store import schema
from results.store.old_details import illegal_answer, margin_of, phase_of
from results.store.schema import MIGRATIONS, migrate
from results.store.store import Store

FIXTURE = Path(__file__).parent / "files" / "schema-2.db"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copy(FIXTURE, tmp_path / "old.db"))


@pytest.fixture
def opened(old: Path):
    with Store.open(old, create=False) as store:
        yield store


def column(path, sql):
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def test_the_fixture_is_of_schema_2():
    assert column(FIXTURE, "PRAGMA user_version") == [(2,)]


def test_the_file_is_whole_after_the_migration(opened):
    connection = opened._connection
    assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_game_and_every_league_is_still_there(opened):
    assert [record.id for record in opened.records()] == list(range(1, 45))
    assert [league.name for league in opened.leagues()][:3] == ["thursday", "swiss", "ko"]
    for league in opened.leagues():
        assert len(table(opened, league).rows) == len(league.entrants)


def test_what_was_not_text_is_unchanged(old):
    kept = "id, key, moves, result, reason, detail, fault_player, fault_rule, seed, started, secret"
    query = f"SELECT {kept.replace('id', 'record.id')} FROM record JOIN league ON league.id = league ORDER BY record.id"
    before = column(old, query)
    Store.open(old, create=False).close()
    assert column(old, query) == before


def test_settings_have_the_keys_of_league_files(opened):
    settings = opened.known("thursday").settings
    assert (settings["game"], settings["opening-turns"], settings["suspend-after"]) == ("microchess:turns=20", 2, 0.1)
    assert (settings["game-version"], settings["trust-agents"], settings["memory"]) == (1, False, 1 << 30)
    assert not [key for key in settings if " " in key or key in ("parameters", "confined")]


@pytest.mark.parametrize(
    ("number", "margin"),
    [
        (1, Margin(16, 7, "material")),  # turn limit
        (3, Margin(4, 15, "material")),  # stalemate
        (9, None),  # fault
        (35, None),  # a draw of chess: nothing is counted
        (36, Margin(14, 15, "points")),  # area 14-8+7: second has the komi
        (37, None),  # five in a row
        (38, Margin(2, 0, "cells")),
        (39, Margin(29, 35, "discs")),
        (40, None),  # checkmate
    ],
)
def test_the_margin_is_derived(opened, number, margin):
    assert opened.record(number).margin == margin


@pytest.mark.parametrize(
    ("number", "phase", "turn", "detail"),
    [
        (9, "load", None, "ValueError: no constructor for you"),
        (12, "reset", None, "ValueError: no reset for you"),
        (13, "act", 3, "ValueError: no move for you"),
        (14, "act", 2, "ValueError: no move for you"),
        (17, "act", 3, "SystemExit: 0"),
        (19, "act", 3, "its process ended in act: exit status 7"),
        (23, "act", 3, "'a1a1': 'a1a1' is not a legal move in 1nbr/pk2/1N2/3P/RB1K w Q - 2 2"),
        (28, "act", 2, "sent a message that answers no request"),
        (34, "act", 2, "no answer from act in time"),
    ],
)
def test_phase_and_turn_of_a_fault_are_derived(opened, number, phase, turn, detail):
    fault = opened.record(number).fault
    assert (fault.phase, fault.turn, fault.detail) == (phase, turn, detail)


def test_an_illegal_answer_becomes_evidence(opened):
    assert opened.record(23).fault.evidence["answer"] == "a1a1"
    assert opened.record(25).fault.evidence["answer"] == "None"
    assert "answer" not in opened.record(9).fault.evidence


def test_notes_have_their_phase(opened):
    (note,) = opened.record(15).notes
    assert (note.player, note.rule, note.detail) == ("first", "exception", "ValueError: no close for you")
    assert (note.phase, note.turn) == ("close", None)
    assert note.evidence["exit"] == "-9"


def test_an_unfinished_league_can_go_on(opened):
    for name in ("thursday", "swiss", "ko"):
        played = next(opened.records(name))
        key = f"{played.key}-again"
        assert opened.add(played.__class__(**{**fields(played), "key": key, "id": None})).key == key


def fields(record):
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def test_a_file_that_cannot_be_written_is_read_from_a_copy(old, monkeypatch):
    def refuse(*_, **__):
        raise ReadOnly("a disc in a drive")

    before = old.read_bytes()
    monkeypatch.setattr(Store, "open", refuse)
    with Store.read(old) as store:
        assert store.record(36).margin == Margin(14, 15, "points")
        assert store.record(9).fault.phase == "load"
    assert old.read_bytes() == before


def test_a_migration_that_fails_half_way_leaves_the_file_as_it_was(old):
    def fail(_):
        raise RuntimeError("power cut")

    before = column(old, "SELECT id, fault_detail, notes FROM record")
    broken = (*MIGRATIONS[:2], (*MIGRATIONS[2], fail))
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        with pytest.raises(RuntimeError, match="power cut"):
            migrate(connection, broken)
        assert not schema.is_current(connection)
    assert column(old, "SELECT id, fault_detail, notes FROM record") == before
    assert column(old, "PRAGMA user_version") == [(2,)]


@pytest.mark.parametrize("damage", ["moves = 'x'", "notes = '[[1]]'", "fault_evidence = '{'"])
def test_a_damaged_record_does_not_stop_the_migration(old, damage):
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute(f"UPDATE record SET {damage} WHERE id = 13")
    with Store.open(old, create=False) as store:
        assert store.record(12).fault.phase == "reset"
        with pytest.raises(Damaged, match="record 13 cannot be read"):
            store.record(13)


@pytest.mark.parametrize(
    ("detail", "margin"),
    [
        ("area 45-36+7.5", Margin(45, 43.5, "points")),
        ("area 3-5-2", Margin(3, 3, "points")),
        ("area 81-0+0", Margin(81, 0, "points")),
        ("material 16", None),
        ("material 16-7 and more", None),
        ("", None),
    ],
)
def test_margins_in_text(detail, margin):
    assert margin_of(detail) == margin


@pytest.mark.parametrize(
    ("rule", "detail", "phase", "kept"),
    [
        ("exit", "its process ended in reset: exit status 7", "reset", "its process ended in reset: exit status 7"),
        ("exit", "its process ended: signal SIGSEGV (in load)", "load", "its process ended: signal SIGSEGV"),
        ("startup", "no answer from reset in time", "reset", "no answer from reset in time"),
        ("startup", "no answer in time (in load)", "load", "no answer in time"),
        ("startup", "too slow", "load", "too slow"),
        ("protocol", "answered load with the wrong kind of message", "load",
         "answered load with the wrong kind of message"),
        ("time", "used up its 2 s", "act", "used up its 2 s"),
        ("pondering", "used 12 ms of CPU", "act", "used 12 ms of CPU"),
        # What an agent wrote decides nothing: the suffix at the end is ours.
        ("exception", "ValueError: (in load) (in act)", "act", "ValueError: (in load)"),
        ("illegal-move", "'its process ended in load: x': no", "act", "'its process ended in load: x': no"),
    ],
)  # fmt: skip
def test_phases_in_text(rule, detail, phase, kept):
    assert phase_of(rule, detail) == (phase, kept)


@pytest.mark.parametrize(
    ("detail", "answer"),
    [
        ("'0 0 0 1': already taken", "0 0 0 1"),
        ('"it\'s": no', "it's"),
        (r"'\n': no", "\n"),
        ("answered 'e4', none of the moves it was asked about", None),
        (r"'\u12': no", None),
        ("", None),
    ],
)
def test_illegal_answers_in_text(detail, answer):
    assert illegal_answer(detail) == answer

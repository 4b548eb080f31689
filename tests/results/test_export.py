"""Exports for other programs."""

import csv
import io
import itertools
import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

import results
from games.base import Margin
from results.errors import Damaged
from results.league import Exclusion
from results.notation import export, pgn
from results.notation.export import FORMATS, NOTATIONS, csv_pieces, json_pieces, notation_pieces, write_parquet
from results.notation.json_form import full
from results.record import FaultRecord, MoveRecord
from results.store.columns import COLUMNS, ROWS
from results.store.store import Store
from results.store.tallies import fill_summaries
from results.time_control import TimeControl

FILES = Path(__file__).parent / "files"
OUT = {2: Exclusion(because="overloaded", at="2026-05-09T12:00:00.000Z")}


@pytest.fixture
def played(make_record):
    """Two games, the second of which does not count."""
    moves = (MoveRecord("d2d3", 0.5), MoveRecord("a4a3", 0.25))
    fault = FaultRecord("second", "time", "401 s", {}, "act", 3)
    return [
        make_record("1", id=1, moves=moves, margin=Margin(13, 5, "material")),
        make_record("2", id=2, moves=moves, fault=fault, reason="fault", first="bob", second="ada"),
    ]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def as_csv(store):
    """Games that were stored, as CSV; a record has the exclusion that `OUT` has for its number."""

    def write(*records):
        for record in records:
            if store.league(record.league) is None:
                entrants = [record.first, record.second]
                store.create_league(record.league, kind="league", settings={}, secret="", entrants=entrants)
            elif record.first.name not in {one.name for one in store.known(record.league).entrants}:
                store.enter(record.league, record.first)
            stored = store.add(record)
            if stored.id in OUT:
                store.exclude(stored.id, because=OUT[stored.id].because)
        return "".join(csv_pieces(store.rows()))

    return write


def test_csv_has_one_line_per_game(played, as_csv):
    first, second = rows(as_csv(*played))
    assert tuple(first) == COLUMNS
    assert (first["id"], first["first"], first["score_first"], first["fault_rule"]) == ("1", "ada", "1.0", "")
    assert (second["first"], second["fault_rule"], second["excluded"]) == ("bob", "time", "overloaded")
    assert first["excluded"] == ""
    assert (first["margin_first"], first["margin_second"], first["margin_unit"]) == ("13.0", "5.0", "material")
    assert (second["margin_unit"], second["fault_phase"], second["fault_turn"]) == ("", "act", "3")


def test_csv_without_games_is_its_header(as_csv):
    assert as_csv() == f"{','.join(COLUMNS)}\n"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t=", "\r="])  # noqa: RUF001
def test_no_cell_of_csv_is_a_formula(make_record, as_csv, start):
    name = f"{start}HYPERLINK(1)"
    (row,) = rows(as_csv(make_record(first=name, league=name, detail=name, host=name)))
    for cell in (row["first"], row["league"], row["detail"], row["host"]):
        assert cell[0] in "'\\"
        assert cell.endswith("HYPERLINK(1)")


def test_plain_text_and_numbers_do_not_change(make_record, as_csv):
    (row,) = rows(as_csv(make_record(first='a-b=c, "d"\'')))
    assert row["first"] == 'a-b=c, "d"\''
    assert row["result"] == "1-0"
    assert row["seconds"] == "400.0"


def test_control_characters_in_names_are_escaped(make_record, as_csv):
    text = as_csv(make_record(first="a\nb\x1b[31m\u202e"))
    assert text.count("\n") == 2
    assert rows(text)[0]["first"] == "a\\x0ab\\x1b[31m\\u202e"


def test_json_is_a_list_of_full_records(played):
    found = json.loads("".join(json_pieces(played, OUT)))
    expected = [full(record) | {"excluded": OUT[2].because if record.id == 2 else None} for record in played]
    assert found == json.loads(json.dumps(expected))


def test_json_has_one_line_per_game(played):
    assert len("".join(json_pieces(played, OUT)).splitlines()) == 4


def test_json_without_games_is_an_empty_list():
    assert json.loads("".join(json_pieces([], {}))) == []


def test_games_are_written_as_they_are_read(make_record):
    endless = (make_record(id=number) for number in itertools.count(1))
    assert len(list(itertools.islice(json_pieces(endless, {}), 1000))) == 1000
    rows = itertools.repeat((0,) * len(COLUMNS))
    assert len(list(itertools.islice(csv_pieces(rows), 100))) == 100


def expected(record, excluded):
    """The values of the columns, from the record itself."""
    fault, margin = record.fault, record.margin
    return (
        record.id, record.league, record.key, record.game, record.game_version, record.first.name, record.second.name,
        record.first.hash, record.second.hash, record.result, record.score_first, record.reason, record.detail,
        fault and fault.player, fault and fault.rule, record.turns, len(record.opening), record.seconds,
        str(record.time_control), record.seconds_first, record.seconds_second, record.sandbox, record.rules,
        record.host, record.started, record.ended, excluded, margin and float(margin.first),
        margin and float(margin.second), margin and margin.unit, fault and fault.phase, fault and fault.turn,
    )  # fmt: skip


def test_columns_are_those_of_the_records(tmp_path, store, make_record):
    shutil.copy(FILES / "schema-2.db", tmp_path / "old.db")
    store.add(make_record(control=TimeControl(60.0, 0.5), opening=("c1b3",), result="1/2-1/2"))
    store.add(make_record("2", fault=FaultRecord("first", "time", "", {}, "reset"), unanswered=3.0, result="0-1"))
    store.add(make_record("3", game="go", parameters={"size": 9}, mover="second"))
    store.exclude(1, because="overloaded")
    with Store.open(tmp_path / "old.db", create=False) as old:
        for opened in (store, old):
            out = opened.exclusions()
            wanted = [expected(one, out[one.id].because if one.id in out else None) for one in opened.records()]
            assert list(opened.rows()) == wanted
            league = opened.leagues()[0].name
            assert [row[0] for row in opened.rows(league)] == opened.ids(league)


def test_a_table_of_some_games_keeps_their_order(path, store, make_record):
    for number in range(4):
        store.add(make_record(str(number)))
    with results.load(path) as face:
        assert face.games()[::-2].to_pandas()["id"].tolist() == [4, 2]


def test_a_table_does_not_read_the_moves(store, make_record):
    store.add(make_record())
    program = store._connection.execute(f"EXPLAIN {ROWS}").fetchall()
    moves = [row["name"] for row in store._connection.execute("PRAGMA table_info(record)")].index("moves")
    read = {row["p2"] for row in program if row["opcode"] == "Column" and row["p1"] == 0}  # the first table is `record`
    assert moves not in read
    assert read


@pytest.mark.parametrize("damage", ["moves = 'x'", "started = 'then'"])
def test_a_damaged_game_is_one_clear_error(store, make_record, damage):
    store.add(make_record())
    store._connection.execute("PRAGMA ignore_check_constraints = ON")
    store._connection.execute(f"UPDATE record SET {damage}")
    store._connection.execute("DELETE FROM summary")
    fill_summaries(store._connection)
    with pytest.raises(Damaged, match="is damaged"):
        list(store.rows())


def test_pgn_holds_only_the_games_it_can_write(played, make_record):
    left_out = Counter()
    others = [make_record(game="othello", id=3), make_record(game="othello", id=4)]
    text = "".join(notation_pieces(FORMATS["pgn"], [played[0], *others, played[1]], OUT, left_out))
    one, two = pgn.read(text)
    assert (one.moves, two.moves) == (("d2d3", "a4a3"), ("d2d3", "a4a3"))
    assert "Excluded" not in one.headers
    assert two.headers["Excluded"] == "overloaded"
    assert left_out == {"othello, which has no PGN": 2}


@pytest.mark.parametrize(
    "changes", [{"start": "nonsense"}, {"moves": (MoveRecord("a1a1"),)}, {"moves": (MoveRecord("?"),)}]
)
def test_a_game_that_cannot_be_replayed_is_left_out(make_record, played, changes):
    left_out = Counter()
    text = "".join(notation_pieces(FORMATS["pgn"], [make_record(**changes), played[0]], {}, left_out))
    assert len(pgn.read(text)) == 1
    assert left_out == {"microchess that cannot be replayed under the current rules": 1}


def test_parquet_is_the_frame(tmp_path, path, store, played, monkeypatch):
    monkeypatch.setattr(export, "_GROUP", 2)
    for record in [*played, *(replace(played[0], key=str(number)) for number in range(3, 6))]:
        store.add(record)
    store.exclude(2, because="overloaded")
    write_parquet(store.rows(), tmp_path / "games.parquet")
    found = pandas.read_parquet(tmp_path / "games.parquet")
    with results.load(path) as face:
        frame = face.to_pandas()
    assert tuple(found.columns) == COLUMNS
    assert found["first"].tolist() == ["ada", "bob", "ada", "ada", "ada"]
    assert found["excluded"].isna().tolist() == [True, False, True, True, True]
    assert str(found["started"].dt.tz) == "UTC"
    pandas.testing.assert_frame_equal(found, frame, check_dtype=False)


def test_parquet_of_no_games_has_the_types_of_many(tmp_path, store, played):
    import pyarrow.parquet

    write_parquet(store.rows(), tmp_path / "none.parquet")
    store.add(played[0])
    write_parquet(store.rows(), tmp_path / "one.parquet")
    one, none = (pyarrow.parquet.read_schema(tmp_path / f"{name}.parquet") for name in ("one", "none"))
    assert none.names == one.names
    for name in ("margin_first", "margin_second", "fault_turn"):
        assert one.field(name).type == none.field(name).type
    assert one.field("excluded").type == one.field("first").type


def test_every_format_has_one_writer():
    for name, form in FORMATS.items():
        writers = [form.write_game, form.write_all, form.write_rows, form.write_file]
        assert sum(writer is not None for writer in writers) == 1, name
        assert form.title
        assert form.ending
        assert form.holds


def test_the_games_of_pgn_are_those_its_module_writes():
    assert set(FORMATS["pgn"].games) == set(pgn.GAMES)


def test_the_commands_take_their_choices_from_the_table():
    from arena.cli import export, show

    def choices(command):
        (option,) = [option for option in command.params if "--format" in option.opts]
        return list(option.type.choices)

    assert choices(export.command) == list(FORMATS)
    assert choices(show.command) == ["text", "json", "html", *NOTATIONS]

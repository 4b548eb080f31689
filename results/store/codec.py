"""Records, entrants and departures as database rows, and back."""

import json
import sqlite3
from collections.abc import Mapping
from typing import TypeAlias

from games.base import Margin, upgraded
from results.errors import Damaged
from results.league import Departure
from results.record import EntrantRecord, FaultRecord, GameRecord, MoveRecord
from results.text import storable

__all__ = ["Column", "departure_of", "entrant_of", "from_json", "record_of", "row_of", "to_json"]

Column: TypeAlias = str | int | float | None


def row_of(record: GameRecord) -> dict[str, Column]:
    """All columns of a record except `id`, `league`, `first` and `second`."""
    fault, margin = record.fault, record.margin
    row: dict[str, Column] = {
        "key": record.key,
        "game": record.game,
        "parameters": to_json(record.parameters),
        "game_version": record.game_version,
        "seconds": record.seconds,
        "start": record.start,
        "mover": record.mover,
        "unanswered": record.unanswered,
        "opening": to_json(record.opening),
        "seed": str(record.seed),
        "seed_first": str(record.seed_first),
        "seed_second": str(record.seed_second),
        "moves": to_json([_from_move(move) for move in record.moves]),
        "result": record.result,
        "reason": record.reason,
        "detail": record.detail,
        "fault_player": fault.player if fault else None,
        "fault_rule": fault.rule if fault else None,
        "fault_detail": fault.detail if fault else None,
        "fault_evidence": to_json(fault.evidence) if fault else None,
        "fault_phase": fault.phase if fault else None,
        "fault_turn": fault.turn if fault else None,
        "margin_first": margin.first if margin else None,
        "margin_second": margin.second if margin else None,
        "margin_unit": margin.unit if margin else None,
        "notes": to_json([_from_note(note) for note in record.notes]),
        "output_first": record.output_first,
        "output_second": record.output_second,
        "sandbox": record.sandbox,
        "rules": record.rules,
        "host": record.host,
        "versions": to_json(record.versions),
        "started": record.started,
        "ended": record.ended,
        **_from_entrant("first", record.first),
        **_from_entrant("second", record.second),
    }
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}


def record_of(row: sqlite3.Row) -> GameRecord:
    """The record in a row that also holds the names of the league and of both entrants."""
    try:
        return _record_of(row)
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"record {row['id']} cannot be read ({error}); skip it or restore a backup") from error


def entrant_of(row: sqlite3.Row) -> EntrantRecord:
    """The entrant in a row of its table."""
    return _to_entrant(row, name="name", prefix="")


def departure_of(row: sqlite3.Row) -> Departure:
    """The departure in a row of its table."""
    return Departure(why=row["why"], detail=row["detail"], stands=bool(row["stands"]), at=row["at"])


def to_json(value: object) -> str:
    """Compact JSON without lone surrogates."""
    return json.dumps(_clean(value), ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> object:
    """The value that `to_json` wrote; mappings become dictionaries and sequences become lists."""
    value: object = json.loads(text)
    return value


def _record_of(row: sqlite3.Row) -> GameRecord:
    parameters, game_version = upgraded(row["game"], json.loads(row["parameters"]), row["game_version"])
    return GameRecord(
        id=row["id"],
        league=row["league_name"],
        key=row["key"],
        game=row["game"],
        parameters=parameters,
        game_version=game_version,
        first=_to_entrant(row, name="first_name", prefix="first_"),
        second=_to_entrant(row, name="second_name", prefix="second_"),
        seconds=row["seconds"],
        start=row["start"],
        mover=row["mover"],
        opening=tuple(json.loads(row["opening"])),
        seed=int(row["seed"]),
        seed_first=int(row["seed_first"]),
        seed_second=int(row["seed_second"]),
        moves=tuple(MoveRecord(*move) for move in json.loads(row["moves"])),
        result=row["result"],
        reason=row["reason"],
        detail=row["detail"],
        fault=_fault_of(row),
        notes=tuple(FaultRecord(**note) for note in json.loads(row["notes"])),
        output_first=row["output_first"],
        output_second=row["output_second"],
        sandbox=row["sandbox"],
        rules=row["rules"],
        host=row["host"],
        versions=json.loads(row["versions"]),
        unanswered=row["unanswered"],
        started=row["started"],
        ended=row["ended"],
        margin=_margin_of(row),
    )


def _fault_of(row: sqlite3.Row) -> FaultRecord | None:
    if row["fault_player"] is None:
        return None
    return FaultRecord(
        player=row["fault_player"], rule=row["fault_rule"], detail=row["fault_detail"],
        evidence=json.loads(row["fault_evidence"]), phase=row["fault_phase"], turn=row["fault_turn"],
    )  # fmt: skip


def _margin_of(row: sqlite3.Row) -> Margin | None:
    if row["margin_unit"] is None:
        return None
    return Margin(row["margin_first"], row["margin_second"], row["margin_unit"])


def _from_note(note: FaultRecord) -> dict[str, object]:
    return {
        "player": note.player, "rule": note.rule, "detail": note.detail, "evidence": note.evidence,
        "phase": note.phase, "turn": note.turn,
    }  # fmt: skip


def _from_move(move: MoveRecord) -> tuple[str, float, float, float]:
    return move.text, round(move.wall, 6), round(move.cpu, 6), round(move.wait, 6)


def _from_entrant(seat: str, entrant: EntrantRecord) -> dict[str, Column]:
    return {
        f"{seat}_agent": entrant.agent,
        f"{seat}_version": entrant.version,
        f"{seat}_hash": entrant.hash,
        f"{seat}_options": to_json(entrant.options),
        f"{seat}_path": entrant.path,
        f"{seat}_grants": to_json(entrant.grants),
    }


def _to_entrant(row: sqlite3.Row, *, name: str, prefix: str) -> EntrantRecord:
    return EntrantRecord(
        name=row[name],
        agent=row[f"{prefix}agent"],
        version=row[f"{prefix}version"],
        hash=row[f"{prefix}hash"],
        options=json.loads(row[f"{prefix}options"]),
        path=row[f"{prefix}path"],
        grants=json.loads(row[f"{prefix}grants"]),
    )


def _clean(value: object) -> object:
    """JSON would keep a lone surrogate as an escape, and a reader could not write it as UTF-8."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value

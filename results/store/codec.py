"""Records, entrants and departures as database rows, and back. A file may come from anybody: every value is checked."""

import json
import math
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, TypeAlias, cast, get_args

from games.base import Margin, upgraded
from results.errors import Damaged
from results.league import KINDS, Absence, Award, Departure, Kind, League
from results.pairing import Format, PairCount, Pairing
from results.record import (
    ClaimRecord,
    Dice,
    EntrantRecord,
    FaultRecord,
    GameRecord,
    MoveRecord,
    Phase,
    Result,
    Seat,
)  # fmt: skip
from results.text import storable
from results.time_control import TimeControl

__all__ = [
    "Column", "award_of", "claims_of", "control_text", "departure_of", "entrant_of", "league_of", "margin_of", "moment",
    "number", "one_of", "pair_of", "pairing_of", "record_of", "row_of", "text", "to_json", "whole",
]  # fmt: skip

_SEED_DIGITS: Final = 100
_MOST_ROUNDS: Final = 1_000_000
Column: TypeAlias = str | int | float | None


def row_of(record: GameRecord) -> dict[str, Column]:
    """All columns of a record except `id`, `league`, `first` and `second`."""
    fault, margin, (wall, wait) = record.fault, record.margin, record.load
    row: dict[str, Column] = {
        "key": record.key,
        "game": record.game,
        "parameters": to_json(record.parameters),
        "game_version": record.game_version,
        "seconds": record.seconds,
        "start": record.start,
        "mover": record.mover,
        "unanswered": record.unanswered,
        "dice": record.dice,
        "control": control_text(record.control),
        "startup_first": record.startup_first,
        "startup_second": record.startup_second,
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
        "claims": to_json([_from_claim(claim) for claim in record.claims]) if record.claims else "",
        "notes": to_json([_from_note(note) for note in record.notes]),
        "output_first": record.output_first,
        "output_second": record.output_second,
        "sandbox": record.sandbox,
        "rules": record.rules,
        "host": record.host,
        "versions": to_json(record.versions),
        "wall": round(wall, 6),
        "wait": round(wait, 6),
        "started": record.started,
        "ended": record.ended,
        **_from_entrant("first", record.first),
        **_from_entrant("second", record.second),
    }
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}


def control_text(control: TimeControl | None) -> str:
    """The column of a time control; empty if a game has only a number of seconds."""
    return "" if control is None else str(control)


def record_of(row: sqlite3.Row) -> GameRecord:
    """The record in a row that also holds the names of the league and of both entrants."""
    try:
        return _record_of(row)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Damaged(f"record {row['id']} cannot be read ({error}); skip it or restore a backup") from error


def entrant_of(row: sqlite3.Row) -> EntrantRecord:
    """The entrant in a row of its table."""
    return _to_entrant(row, name="name", prefix="")


def pairing_of(row: sqlite3.Row, *, entrants: int) -> Pairing:
    """The pairing in a row of its table, in a league of so many entrants."""
    first, second, played_in = (whole(row, name) for name in ("first", "second", "round"))
    if not 1 <= first <= entrants or not 0 <= second <= entrants or not 0 <= played_in <= _MOST_ROUNDS:
        raise ValueError("a pairing has an entrant or a round that does not exist")
    return Pairing(text(row, "key"), first, second, played_in, text(row, "opening"))


def pair_of(row: sqlite3.Row) -> PairCount:
    """The counts in a row of names and tallies."""
    first, second, *counts = row
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise ValueError("a tally is not a whole number")
    games, wins, draws, losses, faults_first, faults_second = counts
    if wins + draws + losses != games:
        raise ValueError("a result is none of 1-0, 0-1, 1/2-1/2")
    return PairCount(
        first=_text(first, "first"), second=_text(second, "second"), games=games, wins=wins, draws=draws, losses=losses,
        faults_first=faults_first, faults_second=faults_second,
    )  # fmt: skip


def award_of(row: sqlite3.Row) -> Award:
    """The award in a row of its table."""
    return Award(
        key=text(row, "key"), entrant=text(row, "entrant"), points=number(row, "points"), because=text(row, "because")
    )


def league_of(row: sqlite3.Row, entrants: Sequence[sqlite3.Row], departures: Sequence[sqlite3.Row]) -> League:
    """The league in a row of its table, and in the rows of its entrants and departures."""
    return League(
        id=whole(row, "id"),
        name=text(row, "name"),
        kind=cast(Kind, one_of(row, "kind", KINDS)),
        created=moment(row, "created"),
        settings=_settings_of(row),
        secret=str(row["secret"]),
        dice=str(row["dice"]),
        entrants=tuple(map(entrant_of, entrants)),
        founders=sum(entrant["entered"] is None for entrant in entrants),
        departures={text(gone, "name"): departure_of(gone) for gone in departures},
        ended="" if row["ended"] is None else moment(row, "ended"),
    )


def _settings_of(row: sqlite3.Row) -> dict[str, object]:
    found = from_json(row["settings"])
    if not isinstance(found, dict):
        raise ValueError("its settings are not a mapping")
    if found.get("format", "match") not in get_args(Format):
        raise ValueError("its format does not exist")
    if not isinstance(rounds := found.get("rounds", 1), int | None) or not 0 <= (rounds or 0) <= _MOST_ROUNDS:
        raise ValueError("its number of rounds makes no sense")
    return found


def departure_of(row: sqlite3.Row) -> Departure:
    """The departure in a row of its table."""
    why = cast(Absence, one_of(row, "why", get_args(Absence)))
    return Departure(why=why, detail=text(row, "detail"), stands=bool(row["stands"]), at=moment(row, "at"))


def to_json(value: object) -> str:
    """Compact JSON without lone surrogates."""
    return json.dumps(_clean(value), ensure_ascii=False, separators=(",", ":"))


def from_json(written: str) -> object:
    """The value that `to_json` wrote; mappings become dictionaries and sequences become lists."""
    value: object = json.loads(written, parse_constant=_refuse_constant)
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _record_of(row: sqlite3.Row) -> GameRecord:
    game = text(row, "game")
    parameters, game_version = upgraded(game, _values(row, "parameters"), whole(row, "game_version"))
    return GameRecord(
        id=whole(row, "id"),
        league=text(row, "league_name"),
        key=text(row, "key"),
        game=game,
        parameters=parameters,
        game_version=game_version,
        first=_to_entrant(row, name="first_name", prefix="first_"),
        second=_to_entrant(row, name="second_name", prefix="second_"),
        seconds=number(row, "seconds"),
        start=text(row, "start"),
        mover=cast(Seat, one_of(row, "mover", get_args(Seat))),
        opening=tuple(_text(move, "opening") for move in _list(row, "opening")),
        seed=_seed(row, "seed"),
        seed_first=_seed(row, "seed_first"),
        seed_second=_seed(row, "seed_second"),
        moves=tuple(map(_move_of, _list(row, "moves"))),
        result=cast(Result, one_of(row, "result", get_args(Result))),
        reason=text(row, "reason"),
        detail=text(row, "detail"),
        fault=_fault_of(row),
        notes=tuple(map(_note_of, _list(row, "notes"))),
        output_first=text(row, "output_first"),
        output_second=text(row, "output_second"),
        sandbox=text(row, "sandbox"),
        rules=text(row, "rules"),
        host=text(row, "host"),
        versions={key: _text(value, "versions") for key, value in _values(row, "versions").items()},
        unanswered=number(row, "unanswered"),
        dice=cast(Dice, one_of(row, "dice", get_args(Dice))),
        control=TimeControl.read(written) if (written := text(row, "control")) else None,
        startup_first=number(row, "startup_first"),
        startup_second=number(row, "startup_second"),
        started=moment(row, "started"),
        ended=moment(row, "ended"),
        margin=margin_of(row),
        claims=claims_of(row),
    )


def text(row: sqlite3.Row, name: str) -> str:
    """The text in a column, as it is; `ValueError` if it is not a text."""
    return _text(row[name], name)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a text")
    return value


def whole(row: sqlite3.Row, name: str) -> int:
    """The whole number in a column; `ValueError` if it is not one."""
    if not isinstance(value := row[name], int):
        raise ValueError(f"{name} is not a whole number")
    return value


def number(row: sqlite3.Row, name: str) -> float:
    """The number in a column; `ValueError` if it is not one."""
    return _finite(row[name], name)


def one_of(row: sqlite3.Row, name: str, words: Sequence[str]) -> str:
    """The word in a column; `ValueError` if it is not one of these."""
    if (value := row[name]) not in words:
        raise ValueError(f"{name} is none of {', '.join(map(repr, words))}")
    return str(value)


def moment(row: sqlite3.Row, name: str) -> str:
    """The time in a column; `ValueError` if it is not one."""
    found = text(row, name)
    datetime.fromisoformat(found)
    return found


def _finite(value: object, name: str) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is not a number")
    return value


def _seed(row: sqlite3.Row, name: str) -> int:
    found = text(row, name)
    if len(found) > _SEED_DIGITS:
        raise ValueError(f"{name} is not a seed")
    return int(found)


def _list(row: sqlite3.Row, name: str) -> list[object]:
    if not isinstance(value := from_json(row[name]), list):
        raise ValueError(f"{name} is not a list")
    return value


def _values(row: sqlite3.Row, name: str) -> dict[str, int | float | str]:
    """A mapping of names to numbers and texts."""
    if not isinstance(found := from_json(row[name]), dict):
        raise ValueError(f"{name} is not a mapping")
    return {key: value if isinstance(value, str) else _finite(value, name) for key, value in found.items()}


def _move_of(stored: object) -> MoveRecord:
    if not isinstance(stored, list) or not 1 <= len(stored) <= len(MoveRecord.__slots__):
        raise ValueError("a move is not a list of text and seconds")
    return MoveRecord(_text(stored[0], "a move"), *(_finite(seconds, "a move's time") for seconds in stored[1:]))


def _fault_of(row: sqlite3.Row) -> FaultRecord | None:
    if row["fault_player"] is None:
        return None
    names = ("player", "rule", "detail", "phase", "turn")
    return _note_of({name: row[f"fault_{name}"] for name in names} | {"evidence": from_json(row["fault_evidence"])})


def _note_of(stored: object) -> FaultRecord:
    if not isinstance(stored, dict):
        raise ValueError("a note is not a mapping")
    player, phase, turn, evidence = (stored.get(key) for key in ("player", "phase", "turn", "evidence"))
    phase = "act" if phase is None else phase
    if player not in get_args(Seat) or phase not in get_args(Phase) or not isinstance(turn, int | None):
        raise ValueError("a fault has a player, a phase or a turn that does not exist")
    if not isinstance(evidence, dict) or not all(isinstance(value, str) for value in evidence.values()):
        raise ValueError("the evidence of a fault is not a mapping of texts")
    return FaultRecord(
        cast(Seat, player), _text(stored.get("rule"), "a rule"), _text(stored.get("detail"), "a detail"), evidence,
        cast(Phase, phase), turn,
    )  # fmt: skip


def margin_of(row: sqlite3.Row) -> Margin | None:
    """The margin in a row of a record; `ValueError` if it is damaged."""
    if row["margin_unit"] is None:
        return None
    return Margin(number(row, "margin_first"), number(row, "margin_second"), text(row, "margin_unit"))


def claims_of(row: sqlite3.Row) -> tuple[ClaimRecord, ...]:
    """The claims in a row of a record; `ValueError` if they are damaged."""
    return tuple(map(_claim_of, _list(row, "claims"))) if row["claims"] else ()


def _claim_of(stored: object) -> ClaimRecord:
    # The text is missing where nothing was said, and in games that were stored before claims had one.
    if not isinstance(stored, list) or len(stored) not in (len(ClaimRecord.__slots__) - 1, len(ClaimRecord.__slots__)):
        raise ValueError("a claim is not a list of turn, value, depth, nodes, line, moves and text")
    turn, value, depth, nodes, line, moves, *said = stored
    if not all(isinstance(count, int) and count >= 0 for count in (turn, depth, nodes)) or not turn:
        raise ValueError("a claim has a count that makes no sense")
    if value is not None and not 0 <= _finite(value, "the value of a claim") <= 1:
        raise ValueError("the value of a claim is not from 0 to 1")
    if not isinstance(line, list) or not isinstance(moves, list):
        raise ValueError("a claim has no moves")
    shares = tuple((_text(move, "a move"), _finite(share, "a share")) for move, share in moves)
    line = tuple(_text(move, "a move") for move in line)
    return ClaimRecord(turn, value, depth, nodes, line, shares, *(_text(each, "the text of a claim") for each in said))


def _from_claim(claim: ClaimRecord) -> tuple[object, ...]:
    said = (claim.text,) if claim.text else ()
    return claim.turn, claim.value, claim.depth, claim.nodes, claim.line, claim.moves, *said


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
        name=text(row, name),
        agent=text(row, f"{prefix}agent"),
        version=text(row, f"{prefix}version"),
        hash=text(row, f"{prefix}hash"),
        options=_values(row, f"{prefix}options"),
        path=text(row, f"{prefix}path"),
        grants=cast("dict[str, int | str]", _values(row, f"{prefix}grants")),
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

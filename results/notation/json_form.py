"""Records as JSON."""

from dataclasses import asdict
from typing import TypeAlias

from games.base import Margin
from results.record import FaultRecord, GameRecord

__all__ = ["JsonObject", "brief", "full"]

JsonObject: TypeAlias = dict[str, object]


def brief(record: GameRecord) -> JsonObject:
    """The short form that `--json` prints."""
    return {
        "id": record.id,
        "league": record.league,
        "key": record.key,
        "game": record.game,
        "parameters": dict(record.parameters),
        "first": record.first.name,
        "second": record.second.name,
        "result": record.result,
        "score_first": record.score_first,
        "reason": record.reason,
        "detail": record.detail,
        "margin": record.margin and _margin(record.margin),
        "fault": record.fault and _fault(record.fault),
        "turns": record.turns,
        "moves": [move.text for move in record.moves],
        "seconds_first": record.seconds_first,
        "seconds_second": record.seconds_second,
        "seed": record.seed,
        "start": record.start,
        "opening": list(record.opening),
        "sandbox": record.sandbox,
        "started": record.started,
        "ended": record.ended,
    }


def full(record: GameRecord) -> JsonObject:
    """Everything about a game: the short form, the evidence of its fault, and all other fields."""
    return brief(record) | {
        "game_version": record.game_version,
        "entrants": {"first": asdict(record.first), "second": asdict(record.second)},
        "seconds": record.seconds,
        "control": str(record.time_control),
        "mover": record.mover,
        "unanswered": record.unanswered,
        "dice": record.dice,
        "startup_first": record.startup_first,
        "startup_second": record.startup_second,
        "seed_first": record.seed_first,
        "seed_second": record.seed_second,
        "move_seconds": [{"wall": move.wall, "cpu": move.cpu, "wait": move.wait} for move in record.moves],
        "fault": record.fault and asdict(record.fault),
        "claims": [asdict(claim) for claim in record.claims],
        "notes": [asdict(note) for note in record.notes],
        "output_first": record.output_first,
        "output_second": record.output_second,
        "rules": record.rules,
        "host": record.host,
        "versions": dict(record.versions),
    }


def _margin(margin: Margin) -> JsonObject:
    return {"first": float(margin.first), "second": float(margin.second), "unit": margin.unit}


def _fault(fault: FaultRecord) -> JsonObject:
    return {
        "player": fault.player, "rule": fault.rule, "detail": fault.detail, "phase": fault.phase, "turn": fault.turn
    }  # fmt: skip

"""Games in words."""

from arena.competition.explanation import length
from arena.competition.league import Progress
from results.record import FaultRecord, GameRecord
from results.text import plain

__all__ = ["ending", "fault_line", "game_line", "game_text", "label"]


def label(name: str) -> str:
    """A name as it is shown."""
    return plain(name, limit=40)


def game_line(progress: Progress) -> str:
    """One finished game in one line, with its number."""
    return f"{progress.done:>{len(str(progress.total))}}/{progress.total}  {game_text(progress.record)}"


def game_text(record: GameRecord) -> str:
    """One finished game in one line."""
    why = f" ({plain(record.fault.detail, limit=60)})" if record.fault is not None else ""
    return (
        f"{label(record.first.name)} {record.result} {label(record.second.name)}  "
        f"{ending(record)}{why}, {length(record)}"
    )


def ending(record: GameRecord) -> str:
    """Why the game ended."""
    if record.fault is not None:
        return f"{_who(record, record.fault)} faulted: {record.fault.rule}"
    if record.detail.startswith(record.reason):
        return record.detail
    return f"{record.reason} ({record.detail})" if record.detail else record.reason


def fault_line(record: GameRecord, fault: FaultRecord) -> str:
    """Who broke which rule, with the detail."""
    who = f"{_who(record, fault)} ({fault.player})"
    return f"{who} broke the rule {fault.rule!r}: {plain(fault.detail, limit=300)}"


def _who(record: GameRecord, fault: FaultRecord) -> str:
    return label((record.first if fault.player == "first" else record.second).name)

"""A game as a person reads it: each turn, and how it ended."""

from collections.abc import Iterator, Mapping

from arena.cli.lines import ending, fault_line, label
from arena.referee.referee import Turn
from games.base import Color
from results.record import GameRecord, Seat
from results.text import plain

__all__ = ["end_report", "turn_text"]


def turn_text(turn: Turn, names: Mapping[Color, str]) -> str:
    """The board after a move, with both clocks."""
    if turn.move is None:
        heading = "start"
    else:
        heading = f"turn {turn.state.turns}: {names[not turn.state.turn]} plays {turn.move}"
    clocks = "   ".join(f"{name} {turn.times[color]:.1f} s" for color, name in names.items())
    return f"{heading}\n\n{turn.state}\n\n{clocks}\n"


def end_report(record: GameRecord) -> str:
    """Result, reason, turns, times; for a fault the evidence, and what the agents printed."""
    lines = [
        f"result   {record.result}  {label(record.first.name)} - {label(record.second.name)}",
        f"reason   {ending(record)}",
        f"turns    {record.turns}",
        f"time     {record.seconds_first:.2f} s and {record.seconds_second:.2f} s (wall) of {record.seconds:g} s each",
        *_engines(record),
        f"record   {record.id} in {plain(record.league, limit=60)}",
    ]
    if record.fault is not None:
        lines += ["", fault_line(record, record.fault)]
        if shown := record.fault.evidence.get("traceback"):
            lines += ["", plain(shown.rstrip(), limit=4000, multiline=True)]
    lines += [f"noted: {fault_line(record, note)}" for note in record.notes]
    for seat, entrant, output in _outputs(record):
        lines += ["", f"printed by {label(entrant)} ({seat}):", plain(output.rstrip(), limit=2000, multiline=True)]
    return "\n".join(lines)


def _engines(record: GameRecord) -> Iterator[str]:
    """What the engines called themselves."""
    for seat, entrant in (("first", record.first), ("second", record.second)):
        if seat in record.versions:
            yield f"engine   {label(entrant.name)} is {plain(record.versions[seat])}, hash {entrant.hash[:12]}"


def _outputs(record: GameRecord) -> list[tuple[Seat, str, str]]:
    both: list[tuple[Seat, str, str]] = [
        ("first", record.first.name, record.output_first),
        ("second", record.second.name, record.output_second),
    ]
    return [entry for entry in both if entry[2].strip()]

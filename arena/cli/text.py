"""Games, checks and errors as a person reads them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Final

from arena.competition.check import Report, Trial
from arena.competition.events import GameStored, TurnPlayed
from arena.competition.explanation import length, what_happened
from arena.referee.reports import AgentReport
from results.record import FaultRecord, GameRecord, Seat
from results.text import counted, display_width, padded, plain

__all__ = [
    "check_text", "end_text", "ending_text", "game_line", "game_text", "label", "names_text", "report_text",
    "turn_text", "wrapped_table",
]  # fmt: skip


#: A report shows this many moves by their visits.
_CANDIDATES: Final = 5
#: A list of names in a sentence has at most this many.
_NAMES: Final = 8
#: The last column of a table is not narrower than this, however narrow the terminal.
_NARROWEST: Final = 24
#: Where the random numbers of the players come from.
_DICE: Final = {
    "seed": "from the seed of the league, which repeats them",
    "secret": "from a secret that is stored with the league; `arena rerun` repeats them",
}


def label(name: str) -> str:
    """A name as it is shown."""
    return plain(name, limit=40)


def names_text(names: Collection[str]) -> str:
    """Names in a sentence; of many, the first and how many more there are."""
    shown = [plain(name, limit=60) for name in list(names)[:_NAMES]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def wrapped_table(rows: Sequence[Sequence[str]], headers: Sequence[str], *, width: int | None) -> str:
    """A table of that width: its last column, which may hold sentences, is wrapped. None for no limit."""
    from tabulate import tabulate

    if width is None:
        return tabulate(rows, headers, disable_numparse=True)
    others = list(zip(headers, *rows, strict=True))[:-1]
    taken = sum(max(map(display_width, column)) + 2 for column in others)
    widths = [*(None for _ in others), max(width - taken, _NARROWEST)]
    return tabulate(rows, headers, disable_numparse=True, maxcolwidths=widths)


def game_line(event: GameStored) -> str:
    """One finished game in one line, with its number among all games and that of its record."""
    total = "" if event.total is None else str(event.total)
    done = f"{event.done:>{len(total)}}/{total}" if total else str(event.done)
    return f"{done}  record {event.record.id}: {game_text(event.record)}"


def game_text(record: GameRecord) -> str:
    """One finished game in one line."""
    why = f" ({plain(record.fault.detail, limit=60)})" if record.fault is not None else ""
    players = f"{label(record.first.name)} {record.result} {label(record.second.name)}"
    return f"{players}  {ending_text(record)}{why}, {length(record)}"


def turn_text(
    event: TurnPlayed, names: Mapping[Seat, str], *, board: str | None = None, untimed: Collection[Seat] = ()
) -> str:
    """The board after a move, with the clocks of all players that have one; `board` replaces its plain text."""
    heading = "start" if event.mover is None else f"turn {event.turn}: {names[event.mover]} plays {event.move}"
    if event.taken_back:
        heading = f"{counted(event.taken_back, 'move')} taken back"
    clocks = "   ".join(f"{name} {event.clocks[seat]:.1f} s" for seat, name in names.items() if seat not in untimed)
    return f"{heading}\n\n{event.state if board is None else board}\n\n{clocks}\n"


def report_text(report: AgentReport, *, levels: int = 0) -> str:
    """What an agent claims about its move in one line, and below it the first levels of its search tree."""
    said = [
        *([] if report.value is None else [f"value {report.value:.3f}"]),
        *([f"depth {report.depth}"] if report.depth else []),
        *([f"{report.nodes:,} nodes"] if report.nodes else []),
        *([f"line {plain(' '.join(report.line), limit=200)}"] if report.line else []),
        *([plain(report.text, limit=200)] if report.text else []),
    ]
    # An agent that reports no tree has at least its moves.
    is_tree = levels > 0 and len(report.tree) > 0
    best = [] if is_tree else sorted(report.visits.items(), key=lambda item: -item[1])[:_CANDIDATES]
    lines = [f"claim    {', '.join(said) or 'nothing'}"]
    if best:
        lines.append("visits   " + ", ".join(f"{plain(move, limit=20)} {count:,}" for move, count in best))
    for line, visits, value in report.tree:
        if len(line) <= levels:
            lines.append(f"{'    ' * len(line)}{padded(plain(line[-1], limit=20), 12)} {visits:>10,}  {value:.3f}")
    return "\n".join(lines)


def end_text(record: GameRecord) -> str:
    """Result, reason, turns and times of a game; the evidence of a fault, and what the agents printed."""
    lines = [
        f"result   {record.result}  {label(record.first.name)} - {label(record.second.name)}",
        f"reason   {ending_text(record)}",
        f"turns    {record.turns}",
        f"time     {record.seconds_first:.2f} s and {record.seconds_second:.2f} s (wall) of "
        f"{record.time_control.words} each",
        *_startup(record),
        *_engines(record),
        *_dice(record),
        f"record   {record.id} in {plain(record.league, limit=60)}",
    ]
    if record.fault is not None:
        who = f"{_player(record, record.fault)} ({record.fault.player})"
        lines += ["", f"{who} broke the rule {record.fault.rule!r}: {what_happened(record)}"]
        if shown := record.fault.evidence.get("traceback"):
            lines += ["", plain(shown.rstrip(), limit=4000, multiline=True)]
    lines += [f"noted: {_fault_line(record, note)}" for note in record.notes]
    for seat, entrant, output in _outputs(record):
        lines += ["", f"printed by {label(entrant)} ({seat}):", plain(output.rstrip(), limit=2000, multiline=True)]
    return "\n".join(lines)


def ending_text(record: GameRecord) -> str:
    """Why a game ended, in a few words."""
    if record.fault is not None:
        return f"{_player(record, record.fault)} faulted: {plain(record.fault.rule)}"
    if record.margin is not None and record.margin.unit == record.reason:  # "discs 36-28", not "discs (discs 36-28)"
        return plain(record.detail)
    return plain(f"{record.reason} ({record.detail})" if record.detail else record.reason)


def check_text(report: Report) -> str:
    """The report of a check: start-up, the games, every refused call and the verdict, with what led to a fault."""
    startup = "never ready" if report.startup is None else f"{report.startup * 1e3:.0f} ms"
    lines = [
        f"agent      {label(report.agent)}, hash {report.hash[:12]}",
        f"sandbox    {report.sandbox}",
        f"start-up   {startup}",
    ]
    for trial in report.trials:
        lines += _trial_lines(trial)
    lines += [f"refused    {line} (not a fault)" for line in report.refused] or ["refused    nothing"]
    lines.append(f"verdict    {'passed: it broke no rule' if report.passed else f'failed: {report.why_not}'}")
    return "\n".join([*lines, *_fault_lines(report.trials[-1].fault)])


def _trial_lines(trial: Trial) -> Iterator[str]:
    record = trial.record
    side = f", as {trial.seats[0]}" if len(trial.seats) == 1 else ""
    yield f"game       against {trial.against}{side}: {record.result}, {ending_text(record)}, {length(record)}"
    for title, line in zip(chain(["printed"], repeat("")), trial.printed.rstrip().splitlines(), strict=False):
        yield f"{title:<11}{plain(line, limit=300)}"
    for note in record.notes:
        if note.player in trial.seats:
            yield f"noted      after the game, rule {note.rule!r}: {plain(note.detail, limit=300)} (not a fault)"


def _fault_lines(fault: FaultRecord | None) -> Iterator[str]:
    """The traceback of a fault, or the stack of a hang."""
    evidence = fault.evidence if fault is not None else {}
    stack = f"It was running, innermost first:\n{evidence['stack']}" if "stack" in evidence else ""
    for line in plain(evidence.get("traceback", stack).rstrip(), limit=4000, multiline=True).splitlines():
        yield f"           {line}"


def _fault_line(record: GameRecord, fault: FaultRecord) -> str:
    who = f"{_player(record, fault)} ({fault.player})"
    if fault.is_help:
        return f"{who} {plain(fault.detail, limit=300)}"
    return f"{who} broke the rule {fault.rule!r}: {plain(fault.detail, limit=300)}"


def _player(record: GameRecord, fault: FaultRecord) -> str:
    return label((record.first if fault.player == "first" else record.second).name)


def _startup(record: GameRecord) -> Iterator[str]:
    if record.startup_first or record.startup_second:
        yield f"start-up {record.startup_first:.2f} s and {record.startup_second:.2f} s, not charged"


def _dice(record: GameRecord) -> Iterator[str]:
    if record.dice:
        yield f"dice     {_DICE[record.dice]}"


def _engines(record: GameRecord) -> Iterator[str]:
    for seat, entrant in (("first", record.first), ("second", record.second)):
        if seat in record.versions:
            yield f"engine   {label(entrant.name)} is {plain(record.versions[seat])}, hash {plain(entrant.hash[:12])}"


def _outputs(record: GameRecord) -> list[tuple[Seat, str, str]]:
    both: list[tuple[Seat, str, str]] = [
        ("first", record.first.name, record.output_first),
        ("second", record.second.name, record.output_second),
    ]
    return [entry for entry in both if entry[2].strip()]

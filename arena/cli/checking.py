"""The report of a check as a person reads it."""

from collections.abc import Iterator

from arena.cli.lines import ending, label
from arena.competition.explanation import length
from arena.competition.inspection import Report, Trial
from results.text import plain

__all__ = ["report_text"]


def report_text(report: Report) -> str:
    """Start-up, both games, every refused call and the verdict."""
    startup = "never ready" if report.startup is None else f"{report.startup * 1e3:.0f} ms"
    lines = [
        f"agent      {label(report.agent)}, hash {report.hash[:12]}",
        f"sandbox    {report.sandbox}",
        f"start-up   {startup}",
    ]
    for trial in report.trials:
        lines += _trial_lines(trial)
    lines += [f"refused    {line} (no fault)" for line in report.refused] or ["refused    nothing"]
    lines.append(f"verdict    {'passed: it broke no rule' if report.passed else f'failed: {report.why_not}'}")
    return "\n".join(lines)


def _trial_lines(trial: Trial) -> Iterator[str]:
    record = trial.record
    side = f", as {trial.seats[0]}" if len(trial.seats) == 1 else ""
    yield f"game       against {trial.against}{side}: {record.result}, {ending(record)}, {length(record)}"
    if trial.fault is not None:
        yield f"fault      as {trial.fault.player}, rule {trial.fault.rule!r}: {trial.what_happened}"
        shown = trial.fault.evidence.get("traceback", "").rstrip()
        for line in plain(shown, limit=4000, multiline=True).splitlines():
            yield f"           {line}"
    for note in record.notes:
        if note.player in trial.seats:
            yield f"noted      after the game, rule {note.rule!r}: {plain(note.detail, limit=300)} (no fault)"

"""What stands below the board of a replay: the fault with its evidence, what agents printed, what is known besides."""

from collections.abc import Iterator, Mapping
from typing import Final

from games.base import join_parameters
from results.pages.page import section, shown
from results.record import EntrantRecord, FaultRecord, GameRecord
from results.text import line_of

__all__ = ["details"]

_NAME: Final = 60
_LONG: Final = 20_000
#: Evidence that is a measurement.
_UNITS: Final = {"cpu": "s", "wall": "s", "peak_memory": "bytes"}


def details(record: GameRecord) -> Iterator[str]:
    """The sections, as HTML; those with nothing to say are left out."""
    yield from _fault(record)
    yield from _printed(record)
    yield from _facts(record)


def _fault(record: GameRecord) -> Iterator[str]:
    if record.fault is not None:
        yield from section("Fault", _evidence(record, record.fault), name="fault")
    if record.notes:
        body = [line for note in record.notes for line in _evidence(record, note)]
        yield from section("Noted, without a penalty", body, name="notes")


def _evidence(record: GameRecord, fault: FaultRecord) -> Iterator[str]:
    entrant = record.first if fault.player == "first" else record.second
    name = shown(entrant.name, _NAME)
    rule = shown(fault.rule)
    yield f"<p><strong>{name}</strong> ({fault.player}) broke the rule <code>{rule}</code> {_when(fault)}.</p>"
    yield f"<pre>{shown(fault.detail, _LONG, multiline=True)}</pre>"
    found = {key: text.strip("\n") for key, text in fault.evidence.items() if text.strip()}
    numbers = {key: text for key, text in found.items() if key in _UNITS}
    yield from _list({key.replace("_", " "): f"{text} {_UNITS[key]}" for key, text in numbers.items()})
    for key, text in found.items():
        if key not in numbers:
            yield f"<h3>{shown(key)}</h3>"
            yield f"<pre>{shown(text, _LONG, multiline=True)}</pre>"


def _when(fault: FaultRecord) -> str:
    if fault.phase == "act":
        return "during its move" if fault.turn is None else f"on turn {fault.turn}"
    return {"load": "while it was loaded", "reset": "while it prepared for the game", "close": "after the game"}[
        fault.phase
    ]


def _printed(record: GameRecord) -> Iterator[str]:
    for entrant, output in ((record.first, record.output_first), (record.second, record.output_second)):
        if output.strip():
            text = shown(output.strip("\n"), _LONG, multiline=True)
            yield from section(f"Printed by {shown(entrant.name, _NAME)}", [f"<pre>{text}</pre>"])


def _facts(record: GameRecord) -> Iterator[str]:
    facts = {
        "first": _described(record.first),
        "second": _described(record.second),
        "start": record.start,
        "opening": line_of(record.opening),
        "budget": f"{record.seconds:g} s each",
        "used": f"{record.seconds_first:.2f} s and {record.seconds_second:.2f} s by the clock on the wall",
        "seeds": f"{record.seed}, first {record.seed_first}, second {record.seed_second}",
        "pairing": record.key,
        "rules": f"{record.game}, version {record.game_version}, {record.rules}",
        "sandbox": record.sandbox,
        "host": record.host,
        "played": f"{record.started} to {record.ended}",
        "versions": ", ".join(f"{name} {version}" for name, version in record.versions.items()),
    }
    yield from section("About this game", _list(facts))


def _list(facts: Mapping[str, str]) -> Iterator[str]:
    rows = [f"<dt>{shown(name)}</dt><dd>{shown(text, 2000)}</dd>" for name, text in facts.items() if text]
    if rows:
        yield from ('<dl class="facts">', *rows, "</dl>")


def _described(entrant: EntrantRecord) -> str:
    asked = join_parameters(entrant.agent, entrant.options)
    version = f", version {entrant.version}" if entrant.version else ""
    return f"{entrant.name}: {asked}{version}, hash {entrant.hash}"

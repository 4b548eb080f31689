"""Print the tables of arena/studies/RESULTS.md from the stored reports in tests/bench/results.

python -P tests/bench/studies.py [NAME]
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

RESULTS = Path(__file__).parent / "results"
#: Number of rows shown of a table with one row per position.
MAX_POSITIONS = 3

Row: TypeAlias = tuple[object, ...]


def studies() -> dict[str, dict[str, Any]]:
    """The stored reports by the name of the study."""
    files = sorted(RESULTS.glob("study-*.json"))
    return {file.stem.removeprefix("study-"): json.loads(file.read_text()) for file in files}


def section(report: dict[str, Any]) -> str:
    """The tables of one study, and a line with its date and command."""
    matches = [row for part in report["parts"] if "matches" in part for row in rows(part)]
    columns = ["part", "players", "games", "score", "as first", "as second", "margin"]
    if not any(row[6] for row in matches):
        columns, matches = columns[:6], [row[:6] for row in matches]
    tables = [table(columns, matches)] if matches else []
    tables += [measure(part) for part in report["parts"] if "rows" in part]
    tables += [training(part) for part in report["parts"] if "pooled" in part]
    return "\n\n".join([*tables, f"{report['date']}, `{report['command']}`."])


def rows(part: dict[str, Any]) -> list[Row]:
    """One row per match; in a round robin of more than two, one row per entrant against all others."""
    matches = part["matches"]
    if not set.intersection(*({match["one"], match["two"]} for match in matches)):
        return sorted(against_all(part), key=lambda row: str(row[3]), reverse=True)
    return [self_play_row(part, match) if is_self_play(match) else match_row(part, match) for match in matches]


def match_row(part: dict[str, Any], match: dict[str, Any]) -> Row:
    """The score of one against two."""
    by_seat = [f"{match[key]:.3f}" for key in ("score_first", "score_second")]
    units = [key.removeprefix("margin_") for key in match if key.startswith("margin_") and key != "margin_error"]
    margins = [f"{match[f'margin_{unit}']:+.1f} ± {match['margin_error']:.1f} {unit}" for unit in units]
    players = f"{match['one']} – {match['two']}"  # noqa: RUF001
    score = f"{match['score']:.3f} ± {match['error']:.3f}"
    return part["label"], players, match["games"], score, *by_seat, "".join(margins)


def is_self_play(match: dict[str, Any]) -> bool:
    """Whether an agent played itself."""
    return match["two"] == f"{match['one']}#2" or (match["one"], match["two"]) == ("one", "two")


def self_play_row(part: dict[str, Any], match: dict[str, Any]) -> Row:
    """The score of the first player: between equal agents only the seat matters."""
    first = part["first"]
    score = f"{first['score']:.3f} ± {first['error']:.3f}"
    return part["label"], "first – second", match["games"], score, "", "", ""  # noqa: RUF001


def against_all(part: dict[str, Any]) -> Iterator[Row]:
    """The score of each entrant against all others."""
    names = dict.fromkeys(match[key] for match in part["matches"] for key in ("one", "two"))
    for name in names:
        games, points, first, second, spread = 0, 0.0, 0.0, 0.0, 0.0
        for match in part["matches"]:
            if name not in (match["one"], match["two"]):
                continue
            is_one, number = name == match["one"], match["games"]
            games += number
            points += number * (match["score"] if is_one else 1 - match["score"])
            first += number * (match["score_first"] if is_one else 1 - match["score_second"])
            second += number * (match["score_second"] if is_one else 1 - match["score_first"])
            spread += (number * match["error"]) ** 2
        score = f"{points / games:.3f} ± {math.sqrt(spread) / games:.3f}"
        players = f"{name} – the other {len(names) - 1}"  # noqa: RUF001
        yield part["label"], players, games, score, f"{first / games:.3f}", f"{second / games:.3f}", ""


def measure(part: dict[str, Any]) -> str:
    """The table of a measure."""
    rows = part["rows"][:MAX_POSITIONS] if "position" in part["columns"] else part["rows"]
    text = heading(part) + table(part["columns"], rows)
    return text if len(rows) == len(part["rows"]) else f"{text}\n\n(the first {len(rows)} of {len(part['rows'])})"


def training(part: dict[str, Any]) -> str:
    """The scores of a training part over all seeds, with the score of each seed."""
    named = len(part["variants"]) > 1
    columns = ["CPU-minutes", "self-play", "against", "games", "score", "as first", "as second", "by seed"]
    rows = [training_row(point, named=named) for point in part["pooled"]]
    return heading(part) + table([*(["variant"] if named else []), *columns, *(["difference"] if named else [])], rows)


def training_row(point: dict[str, Any], *, named: bool) -> Row:
    """One variant at one CPU time against one anchor."""
    score = f"{point['score']:.3f} ± {point['error']:.3f}"
    by_seat = [None if point[key] is None else f"{point[key]:.3f}" for key in ("as_first", "as_second")]
    by_seed = ", ".join(f"{each:.3f}" for each in point["by_seed"])
    facts = (
        f"{point['minutes']:.3g}",
        point["self_play_games"],
        point["anchor"],
        point["games"],
        score,
        *by_seat,
        by_seed,
    )
    if not named:
        return facts
    is_first = point["difference"] is None
    return (
        point["variant"],
        *facts,
        None if is_first else f"{point['difference']:+.3f} ± {point['difference_error']:.3f}",
    )


def heading(part: dict[str, Any]) -> str:
    """The label of a part as the line above its table."""
    return f"{part['label'][:1].upper()}{part['label'][1:]}:\n\n"


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(value: object) -> str:
    """One cell: numbers with commas, null as a dash, text as it is."""
    if value is None:
        return "–"  # noqa: RUF001
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


if __name__ == "__main__":
    for study, contents in studies().items():
        if study in (sys.argv[1:] or [study]):
            print(f"## {study}\n\n{section(contents)}\n")

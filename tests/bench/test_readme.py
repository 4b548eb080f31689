"""The figures in tests/bench/README.md are those of the stored results."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
README = (HERE / "README.md").read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    """The cells of every table row."""
    lines = [line for line in README.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def stored(name: str) -> Any:
    return json.loads((HERE / "results" / f"{name}.json").read_text(encoding="utf-8"))


def text(match: dict[str, Any]) -> str:
    # Scores end in a 5 at most: half is rounded up, not to even.
    return f"{match['score'] + 1e-9:.2f} ± {match['error']:.2f}"


def test_every_script_and_stored_result_is_described() -> None:
    names = {path.name for path in [*HERE.glob("*.py"), *(HERE / "results").iterdir()]}
    described = {name for name in names if name.startswith(("study-", "test_"))}
    assert [name for name in sorted(names - described) if f"`{name}`" not in README] == []
    assert "`study-NAME.json`" in README


@pytest.mark.parametrize("name", ["examples", "kernels"])
def test_the_tables_of_matches_show_the_stored_scores(name: str) -> None:
    shown = [row[:2] + row[-3:] for row in rows() if len(row) >= 5]
    matches = [match for match in stored(name)["matches"] if not match.get("faults_one")]
    for match in matches:
        by_seat = [f"{match[key]:.3f}" for key in ("score_first", "score_second")]
        assert [f"`{match['one']}`", f"`{match['two']}`", text(match), *by_seat] in shown


def ladders() -> Iterator[tuple[str, list[str]]]:
    for ladder in stored("engines")["ladders"]:
        levels = [level for backend in ("fairy", "standard") for level in ladder[backend]["levels"]]
        yield levels[0]["one"], [text(level) for level in levels]


def test_the_table_against_stockfish_shows_the_stored_scores() -> None:
    for agent, scores in ladders():
        assert [f"`{agent}`", *scores] in rows()


def test_the_table_of_ladders_shows_the_stored_figures() -> None:
    lines = stored("ladder")["ladders"]
    shown = {(row[0], row[1].replace(",", "")): row for row in rows() if row[0] in ("plain", "cycles", "newcomers")}
    assert set(shown) == {(line["field"], str(line["agents"])) for line in lines}
    for (field, agents), row in shown.items():
        chosen = [line for line in lines if (line["field"], str(line["agents"])) == (field, agents)]
        last = sorted(list(line["tau"].values())[-1] for line in chosen)
        assert row[2] == str(len(chosen))
        assert row[4] == (f"{last[0]:.4g}" if last[0] == last[-1] else f"{last[0]:.4g} to {last[-1]:.4g}")


def test_the_table_of_the_site_shows_the_stored_figures() -> None:
    found = stored("site")
    figures = [row[1] for row in rows()]
    cuts, fresh, crowd = found["cuts"], found["fresh"], found["crowd"]
    for figure in (
        f"{found['games']['slower_percent']:+} %", f"{found['games']['players_slower_percent']:+} %",
        ", ".join(map(str, crowd["memory_mb_at_start_and_after_each_40_turns"])) + " MB",
        f"{cuts['lost']}, {cuts['doubled']}", f"{fresh['median_s']} s (most {fresh['most_s']})",
        ", ".join(f"{seconds} s" for seconds in found["end"]["seconds"]),
    ):  # fmt: skip
        assert figure in figures
    assert all(one["command"] == f"python -P tests/bench/site.py {name}" for name, one in found.items())

"""The short form of every bundled study, run for real."""

import json
from typing import Any

import pytest

from arena.studies import study as study_file


@pytest.mark.soak
@pytest.mark.parametrize("name", study_file.names())
def test_the_short_form_finishes_without_a_fault(arena: Any, name: str) -> None:
    ran = arena("study", name, "--short", "--json")
    assert ran.code == 0, ran.err
    (found,) = ran.json
    wanted = study_file.load(name, short=True)
    assert len(found["parts"]) == len(wanted.parts)
    matches = [match for part in found["parts"] for match in part.get("matches", [])]
    points = [point for part in found["parts"] for point in part.get("points", [])]
    assert sum(played["games"] for played in (*matches, *points)) == wanted.games
    assert sum(match["faults_one"] + match["faults_two"] for match in matches) == 0
    assert all(part["rows"] for part in found["parts"] if "rows" in part)
    assert json.loads((arena.folder / "studies" / f"{name}-short.json").read_text()) == found

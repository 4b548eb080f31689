"""The short form of every study that ships, run for real."""

import json
from typing import Any

import pytest

from arena.studies import file as study_file


@pytest.mark.soak
@pytest.mark.parametrize("name", study_file.names())
def test_the_short_form_runs_to_its_end_without_a_fault(arena: Any, name: str) -> None:
    ran = arena("study", name, "--short", "--json")
    assert ran.code == 0, ran.err
    (told,) = ran.json
    wanted = study_file.load(name, short=True)
    assert len(told["parts"]) == len(wanted.parts)
    matches = [match for part in told["parts"] for match in part.get("matches", [])]
    assert sum(match["games"] for match in matches) == wanted.games
    assert sum(match["faults_one"] + match["faults_two"] for match in matches) == 0
    assert all(part["rows"] for part in told["parts"] if "rows" in part)
    assert json.loads((arena.folder / "studies" / f"{name}-short.json").read_text()) == told

"""arena/studies/RESULTS.md shows the stored figures of every study."""

import runpy
from pathlib import Path

from arena import studies
from arena.studies import study as study_file

#: Bundled studies whose full form was not run yet.
NOT_RUN = {"earlier-recipe", "learning-ablations"}
RESULTS = (Path(studies.__file__).parent / "RESULTS.md").read_text(encoding="utf-8")


def test_every_study_has_a_section_with_the_tables_of_its_stored_figures() -> None:
    tables = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "studies.py"))
    found = tables["studies"]()
    assert found.keys() | NOT_RUN == set(study_file.names())
    assert found.keys().isdisjoint(NOT_RUN)
    for name, result in found.items():
        assert result["form"] == "full"
        assert f"## {result['title']}\n" in RESULTS, name
        assert tables["section"](result) in RESULTS, f"python -P tests/bench/studies.py {name}"

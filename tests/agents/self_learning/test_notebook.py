"""agents/self_learning/self_learning.ipynb is executed for real."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import agents.self_learning

NOTEBOOK = Path(agents.self_learning.__file__).parent / "self_learning.ipynb"


@pytest.fixture(scope="module")
def stored() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the cells print, when all of them are executed in order."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_HOME", str(folder / "home"))
        patch.setenv("TMPDIR", str(folder))
        NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not any(output.output_type == "error" or output.get("name") == "stderr" for output in outputs), outputs
    return "".join(output.text for output in outputs if output.output_type == "stream")


def test_it_is_stored_without_outputs(stored: Any) -> None:
    nbformat.validate(stored)  # type: ignore[no-untyped-call]
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
    assert NOTEBOOK.stat().st_size < 20_000
    steps = " ".join(cell.source for cell in stored.cells if cell.cell_type == "markdown")
    assert all(f"## {step}" in steps for step in (
        "Position → planes", "Planes → net", "Net → search → move", "Move → sample", "Sample → memory",
        "Memory → loss → new net", "New net → gate",
    ))  # fmt: skip


def test_it_goes_once_around_the_loop(printed: str) -> None:
    assert "plays " in printed
    assert "40 games, " in printed
    assert "generation 3: loss " in printed
    assert "the new net scores " in printed
    assert "in 6 games" in printed

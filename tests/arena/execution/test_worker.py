"""The start of worker processes."""

import json
import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["arena.execution.worker", "arena.sandbox.boot"])
def test_what_starts_processes_early_imports_almost_nothing(module: str) -> None:
    command = [sys.executable, "-P", "-c", f"import sys, json, {module}\njson.dump(sorted(sys.modules), sys.stdout)"]
    loaded = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert {name for name in loaded if name.startswith("arena.")} <= {
        "arena.execution", "arena.execution.worker", "arena.process", "arena.process.spawn",
        "arena.sandbox", "arena.sandbox.boot",
    }  # fmt: skip
    assert not {"agents", "games", "results", "chess", "click", "numpy", "pickle"} & set(loaded)

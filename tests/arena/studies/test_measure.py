"""Measures: which output is a table, how failures are reported, and what is cached."""

import json
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import OutputError
from arena.studies.measure import MeasureCache, MeasureFailed, MeasureTable, measure
from arena.studies.study import MeasurePart

#: Seconds after which a test that waits has failed: a guard against waiting for ever.
GUARD_SECONDS = 300.0
TABLE = {"columns": ["depth", "nodes"], "rows": [[1, 12.5], ["two", None]]}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A measure with this body."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(body: str, *arguments: str) -> MeasurePart:
        (tmp_path / "some_measure.py").write_text(f"import json, sys\n{body}\n")
        return MeasurePart(name="m", label="a measure", module="some_measure", arguments=arguments)

    return write


def test_a_measure_gets_its_arguments_followed_by_json(module: Any) -> None:
    part = module("print(json.dumps({'columns': ['argument'], 'rows': [[word] for word in sys.argv[1:]]}))", "a", "b c")
    assert measure(part).rows == (("a",), ("b c",), ("--json",))


def test_stderr_of_a_successful_measure_is_ignored(module: Any) -> None:
    part = module(f"print('working', file=sys.stderr)\nprint(json.dumps({TABLE}))")
    assert measure(part) == MeasureTable(columns=("depth", "nodes"), rows=((1, 12.5), ("two", None)))


def test_a_measure_does_not_import_from_the_working_directory(
    module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "json.py").write_text("raise RuntimeError('mine')")
    monkeypatch.chdir(folder)
    assert measure(module(f"print(json.dumps({TABLE}))")).columns == ("depth", "nodes")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("raise ValueError('no such depth')", "failed: ValueError: no such depth"),
        ("sys.exit('three lines\\nof it\\nthe last')", "failed: the last"),
        ("sys.exit(3)", "failed: exit code 3"),
        ("sys.exit('\\x1b[31mred')", "failed: \\x1b[31mred"),
        ("import os; os.kill(os.getpid(), 9)", "failed: exit code -9"),
        ("print('hello')", "printed no table: the output is not JSON; it begins with 'hello'"),
        ("print('a\\x1b[0m ' * 99)", "printed no table: the output is not JSON; it begins with 'a"),
        ("print('[' * 100000)", "printed no table: the output is not JSON; it begins with '[[["),
        ("pass", "printed no table: the output is empty"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[NaN]]}')", "printed no table: a number is not finite"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[-Infinity]]}')", "printed no table: a number is not finite"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[1e999]]}')", "printed no table: a number is not finite"),
        ("while True: print('x' * 9999)", "printed more than 16 MB"),
        ("while True: print('x' * 9999, file=sys.stderr)", "printed more than 16 MB"),
        ("print(' ' * (1 << 24))", "printed more than 16 MB"),
        ("print('x' * 9999999 + '\\nthe last', file=sys.stderr); sys.exit(1)", "failed: the last"),
        ("print('[1]')", "printed no table: the output is not a JSON object"),
        ("print('{\"rows\": []}')", "printed no table: columns must be a list of texts"),
        ("print('{\"columns\": [1], \"rows\": []}')", "printed no table: columns must be a list of texts"),
        ("print('{\"columns\": [\"a\"]}')", "printed no table: rows must be lists of 1 values"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[1, 2]]}')", "printed no table: rows must be lists of 1 values"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[[1]]]}')", "printed no table: rows must be lists of 1 values"),
    ],
)  # fmt: skip
def test_a_failure_is_reported_in_one_line(module: Any, body: str, problem: str) -> None:
    with pytest.raises(MeasureFailed) as caught:
        measure(module(body))
    assert str(caught.value).startswith(f"some_measure {problem}")
    assert str(caught.value).isprintable()


def test_the_folder_of_the_study_is_searched_for_the_module_first(module: Any, tmp_path: Path) -> None:
    wanted = module("sys.exit('the other one')")
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "some_measure.py").write_text(f"import json\nprint(json.dumps({TABLE}))\n")
    assert measure(replace(wanted, folder=folder)).columns == ("depth", "nodes")


def test_a_folder_called_agents_beside_a_study_does_not_hide_the_bundled_agents(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("raise RuntimeError('mine')")
    wanted = MeasurePart(
        name="m", label="a measure", module="agents.microchess_growth", arguments=("--depth", "1"), folder=tmp_path
    )
    assert measure(wanted).rows[0][:2] == (1, 12)


#: Starts a process that inherits the output and would run for minutes, and writes its PID to a file.
STARTS = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(f"{child.pid} ")
"""


def test_processes_started_by_a_measure_end_with_it(module: Any, tmp_path: Path, processes: Any) -> None:
    pid = tmp_path / "pid"
    assert measure(module(f"{STARTS}\nprint(json.dumps({TABLE}))", str(pid))).columns == ("depth", "nodes")
    assert processes.until(lambda: not processes(int(pid.read_text())).runs)


def test_processes_started_by_a_measure_end_with_an_interrupted_study(
    module: Any, tmp_path: Path, processes: Any
) -> None:
    pid = tmp_path / "pid"

    def interrupt() -> None:
        processes.until(lambda: pid.exists() and pid.read_text().endswith(" "))
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        measure(module(f"{STARTS}\nchild.wait()", str(pid)))
    other.join()
    assert processes.until(lambda: not processes(int(pid.read_text())).runs)


def part(*arguments: str) -> MeasurePart:
    return MeasurePart(name="m", label="a measure", module="agents.some_measure", arguments=arguments)


def test_a_cached_table_is_found_by_module_and_arguments(tmp_path: Path) -> None:
    found = MeasureTable.from_json(TABLE)
    MeasureCache(tmp_path / "cache.json").put(part("--depth", "3"), found)
    again = MeasureCache(tmp_path / "cache.json")
    assert again.get(part("--depth", "3")) == found
    assert again.get(part("--depth", "4")) is None
    again.put(part("--depth", "4"), MeasureTable(columns=("a",), rows=()))
    assert MeasureCache(tmp_path / "cache.json").get(part("--depth", "3")) == found
    assert [path.name for path in tmp_path.iterdir()] == ["cache.json"]


@pytest.mark.parametrize("module", ["some_measure", "agents_of_mine.growth"])
def test_tables_of_modules_outside_agents_are_not_cached(tmp_path: Path, module: str) -> None:
    path = tmp_path / "cache.json"
    MeasureCache(path).put(part(), MeasureTable.from_json(TABLE))
    before = path.read_text()
    MeasureCache(path).put(replace(part(), module=module), MeasureTable.from_json(TABLE))
    assert path.read_text() == before
    path.write_text(before.replace("agents.some_measure", module))
    assert MeasureCache(path).get(replace(part(), module=module)) is None


def test_a_table_measured_by_other_code_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "cache.json"
    MeasureCache(path).put(part(), MeasureTable.from_json(TABLE))
    (key,) = json.loads(path.read_text())
    path.write_text(json.dumps({key.replace("(", "(0"): TABLE}))
    assert MeasureCache(path).get(part()) is None


def test_a_cache_that_cannot_be_written_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*cache\.json"):
        MeasureCache(tmp_path / "missing" / "cache.json").put(part(), MeasureTable.from_json(TABLE))

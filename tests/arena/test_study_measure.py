"""Measures: what counts as a table, and what is kept of it."""

import json
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import OutputError
from arena.studies.file import MeasurePart
from arena.studies.measure import Kept, Measured, MeasureFailed, measure

TABLE = {"columns": ["depth", "nodes"], "rows": [[1, 12.5], ["two", None]]}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A measure with this body."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(body: str, *arguments: str) -> MeasurePart:
        (tmp_path / "some_measure.py").write_text(f"import json, sys\n{body}\n")
        return MeasurePart(name="m", label="a measure", module="some_measure", arguments=arguments)

    return write


def test_a_measure_gets_its_arguments_and_json_behind_them(module: Any) -> None:
    part = module("print(json.dumps({'columns': ['argument'], 'rows': [[word] for word in sys.argv[1:]]}))", "a", "b c")
    assert measure(part).rows == (("a",), ("b c",), ("--json",))


def test_what_a_measure_says_on_stderr_does_not_matter(module: Any) -> None:
    part = module(f"print('working', file=sys.stderr)\nprint(json.dumps({TABLE}))")
    assert measure(part) == Measured(columns=("depth", "nodes"), rows=((1, 12.5), ("two", None)))


def test_a_measure_does_not_find_modules_in_the_folder_it_is_run_in(
    module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "json.py").write_text("raise RuntimeError('mine')")
    monkeypatch.chdir(folder)
    assert measure(module(f"print(json.dumps({TABLE}))")).columns == ("depth", "nodes")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('no such depth')", "some_measure failed: ValueError: no such depth"),
        ("sys.exit('three lines\\nof it\\nthe last')", "some_measure failed: the last"),
        ("sys.exit(3)", "some_measure failed: exit code 3"),
        ("sys.exit('\\x1b[31mred')", "some_measure failed: \\x1b[31mred"),
        ("import os; os.kill(os.getpid(), 9)", "some_measure failed: exit code -9"),
        ("print('hello')", "some_measure printed no table: no JSON, it begins with 'hello'"),
        ("print('a\\x1b[0m ' * 99)", "some_measure printed no table: no JSON, it begins with 'a"),
        ("print('[' * 100000)", "some_measure printed no table: no JSON, it begins with '[[["),
        ("pass", "some_measure printed no table: it printed nothing"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[NaN]]}')", "some_measure printed no table: a number in it is not"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[-Infinity]]}')", "some_measure printed no table: a number in it"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[1e999]]}')", "some_measure printed no table: a number in it is"),
        ("while True: print('x' * 9999)", "some_measure printed more than 16 MB"),
        ("while True: print('x' * 9999, file=sys.stderr)", "some_measure printed more than 16 MB"),
        ("print(' ' * (1 << 24))", "some_measure printed more than 16 MB"),
        ("print('x' * 9999999 + '\\nthe last', file=sys.stderr); sys.exit(1)", "some_measure failed: the last"),
        ("print('[1]')", "some_measure printed no table: no object"),
        ("print('{\"rows\": []}')", "some_measure printed no table: no columns"),
        ("print('{\"columns\": [1], \"rows\": []}')", "some_measure printed no table: no columns"),
        ("print('{\"columns\": [\"a\"]}')", "some_measure printed no table: no rows of 1 values"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[1, 2]]}')", "some_measure printed no table: no rows of 1 values"),
        ("print('{\"columns\": [\"a\"], \"rows\": [[[1]]]}')", "some_measure printed no table: no rows of 1 values"),
    ],
)  # fmt: skip
def test_a_failure_is_said_in_one_line(module: Any, body: str, said: str) -> None:
    with pytest.raises(MeasureFailed) as caught:
        measure(module(body))
    assert str(caught.value).startswith(said)
    assert str(caught.value).isprintable()


def test_a_module_is_found_in_the_folder_of_the_study_first(module: Any, tmp_path: Path) -> None:
    wanted = module("sys.exit('the other one')")
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "some_measure.py").write_text(f"import json\nprint(json.dumps({TABLE}))\n")
    assert measure(replace(wanted, folder=folder)).columns == ("depth", "nodes")


def test_what_lies_beside_a_study_does_not_stand_in_the_way_of_our_own_modules(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("raise RuntimeError('mine')")
    wanted = MeasurePart(
        name="m", label="a measure", module="agents.microchess_growth", arguments=("--depth", "1"), folder=tmp_path
    )
    assert measure(wanted).rows[0][:2] == (1, 12)


#: Starts a process that would go on for long with its output in its hands, and leaves its number behind.
STARTS = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(f"{child.pid} ")
"""


def test_what_a_measure_started_ends_with_it_and_keeps_nobody_waiting(
    module: Any, tmp_path: Path, processes: Any
) -> None:
    pid = tmp_path / "pid"
    assert measure(module(f"{STARTS}\nprint(json.dumps({TABLE}))", str(pid))).columns == ("depth", "nodes")
    assert processes.until(lambda: not processes(int(pid.read_text())).runs)


def test_what_a_measure_started_ends_when_we_are_interrupted(module: Any, tmp_path: Path, processes: Any) -> None:
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


def test_what_is_kept_is_found_again_by_module_and_arguments(tmp_path: Path) -> None:
    found = Measured.of(TABLE)
    Kept(tmp_path / "kept.json").put(part("--depth", "3"), found)
    again = Kept(tmp_path / "kept.json")
    assert again.get(part("--depth", "3")) == found
    assert again.get(part("--depth", "4")) is None
    again.put(part("--depth", "4"), Measured(columns=("a",), rows=()))
    assert Kept(tmp_path / "kept.json").get(part("--depth", "3")) == found
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


@pytest.mark.parametrize("module", ["some_measure", "agents_of_mine.growth"])
def test_what_a_module_of_somebodys_own_measured_is_not_kept(tmp_path: Path, module: str) -> None:
    path = tmp_path / "kept.json"
    Kept(path).put(part(), Measured.of(TABLE))
    before = path.read_text()
    Kept(path).put(replace(part(), module=module), Measured.of(TABLE))
    assert path.read_text() == before
    path.write_text(before.replace("agents.some_measure", module))
    assert Kept(path).get(replace(part(), module=module)) is None


def test_what_other_code_measured_is_not_taken_for_this_codes(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    Kept(path).put(part(), Measured.of(TABLE))
    (key,) = json.loads(path.read_text())
    path.write_text(json.dumps({key.replace("(", "(0"): TABLE}))
    assert Kept(path).get(part()) is None


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*kept\.json"):
        Kept(tmp_path / "missing" / "kept.json").put(part(), Measured.of(TABLE))

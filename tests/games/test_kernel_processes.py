"""Kernels in processes of their own: switched off, interrupted, at the end of the interpreter, under sanitizers."""

import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
ALL_KERNELS = ["chess", "go", "gomoku", "microchess", "mushroom", "othello"]


def rule_tests(name):
    """The test files of a game that hold for its kernel and for its specification."""
    return [str(path) for pattern in (f"test_{name}.py", f"test_{name}_*.py") for path in sorted(HERE.glob(pattern))]


def kernel_tests(name):
    """The test files that concern the kernel of a game."""
    patterns = (f"test_kernel_{name}.py", f"test_kernel_{name}_*.py")
    files = [str(path) for pattern in (*patterns, "test_encoding*.py") for path in sorted(HERE.glob(pattern))]
    return files if "chess" in name else [*files, str(HERE / "test_kernel_states.py")]


def test_the_specification_plays_when_the_kernel_is_switched_off(kernel, run_python):
    name = kernel.name
    code = f"import games; from games._live import live; print(type(games.load('{name}').start()), live('{name}'))"
    printed = f"<class 'games.{name}.{kernel.python_class.__name__}'> python"
    assert run_python("-c", code, ARENA_KERNEL="python") == printed


@pytest.mark.parametrize("name", ALL_KERNELS)
def test_the_tests_of_the_rules_hold_for_the_python_form_too(name, run_python, tmp_path):
    # A folder of its own: the common one is cleaned up, and other test runs may write to it meanwhile.
    own = f"--basetemp={tmp_path / 'inner'}"
    assert "passed" in run_python(*PYTEST, own, *rule_tests(name), ARENA_KERNEL="python")


def test_the_interpreter_ends_well_while_states_are_alive(kernel, run_python):
    name, move = kernel.name, kernel.first_move
    code = f"""
import builtins, dataclasses, games, sys
from games.{name} import LiveState
class Linked(LiveState): pass
state = games.load("{name}").start()
linked = Linked(**{{field.name: getattr(state, field.name) for field in dataclasses.fields(state)}})
object.__setattr__(linked, "self", linked)
builtins.kept = [state.forward("{move}"), linked, LiveState.forward, state.legal_moves]
del sys.modules["games.{name}"], sys.modules["games._native_{name}"]
import games.{name}
builtins.again = games.{name}.{name.capitalize()}().start().forward("{move}")
print(again == kept[0], again.text == kept[0].text)
"""
    assert run_python("-c", code) == "False True"


def test_a_long_count_can_be_interrupted(kernel, run_python):
    code = f"""
import signal, games
from games import _native_{kernel.name} as kernel
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
state = games.load("{kernel.name}").start()
for ask in (lambda: kernel.perft(state, 40), lambda: kernel.playouts(state, 10**12, 1)):
    try: signal.setitimer(signal.ITIMER_REAL, 0.05); ask()
    except TimeoutError: print("stopped")
"""
    assert run_python("-c", code).split() == ["stopped"] * 2


def library_path(name):
    """Where the compiler keeps a library of a sanitizer."""
    command = ["g++", f"-print-file-name={name}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.soak
@pytest.mark.parametrize("name", ALL_KERNELS)
def test_sanitizers_find_no_fault_in_the_kernel(name, tmp_path, run_python):
    """Run the tests of the game again, with a kernel that checks every access to memory.

    The sanitizer keeps freed memory for a while, so the size of the process says nothing.
    """
    library = tmp_path / f"_native_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    source = HERE.parents[1] / "games" / "_kernel" / f"{name}.cpp"
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    flags = ["-std=c++20", "-O1", "-g", "-fPIC", "-shared", *checks, f"-I{sysconfig.get_paths()['include']}"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    start = tmp_path / "start.py"
    start.write_text(
        "import sys, importlib.util, games, pytest\n"
        f"spec = importlib.util.spec_from_file_location('games._native_{name}', {str(library)!r})\n"
        f"sys.modules[spec.name] = games._native_{name} = module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-k', 'not resident_memory', *sys.argv[1:]]))\n"
    )
    environment = {
        "LD_PRELOAD": " ".join(map(library_path, ("libasan.so", "libubsan.so"))),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "CXXFLAGS": " ".join(checks),  # for the study of Othello, which its tests build
    }
    assert "passed" in run_python(str(start), *rule_tests(name), *kernel_tests(name), **environment)

"""What the design promises of the code as a whole."""

import ast
import configparser
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PACKAGES = ("games", "agents", "stockfish_bridge", "results", "arena")
#: The sub-packages of arena, and what else lies beside them.
ROOMS = {
    "cli", "competition", "engine", "entrants", "execution", "formats", "process", "referee", "sandbox", "studies",
    "training", "web",
}  # fmt: skip
BESIDE_ROOMS = {"__init__.py", "__main__.py", "errors.py", "version.py", "py.typed", "README.md"}
#: Functions of `import arena`; a sub-package of the same name would replace the function when it is imported.
API = {"play", "benchmark", "match", "league", "check", "submit", "standings", "open"}
HEAVY = {"numpy", "pandas", "ray", "scipy", "starlette", "torch"}


def modules() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def native_sources() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.[ch]pp"))


def test_no_module_is_longer_than_400_lines() -> None:
    assert [str(path) for path in modules() if lines(path) > 400] == []


def test_no_native_source_is_longer_than_400_lines_unless_it_says_why() -> None:
    assert len(native_sources()) > 40
    for path in native_sources():
        head = "".join(path.read_text(encoding="utf-8").splitlines()[:5])
        assert lines(path) <= 400 or "one piece because" in head, path


def test_no_two_native_headers_of_the_kernels_and_the_search_core_have_the_same_name() -> None:
    # Both folders are searched for headers, so a name must mean one of them.
    kernels = {path.name for path in (ROOT / "games" / "_kernel").glob("*.hpp")}
    core = {path.name for path in (ROOT / "agents" / "core").glob("*.hpp")}
    assert not kernels & core


def test_the_tests_are_at_least_as_long_as_the_code() -> None:
    tests = sum(lines(path) for path in (ROOT / "tests").rglob("*.py"))
    assert tests >= sum(map(lines, modules()))


def test_most_functions_fit_on_a_screen() -> None:
    lengths = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno is not None
                lengths.append(node.end_lineno - node.lineno + 1)
    assert sum(length < 40 for length in lengths) >= 0.95 * len(lengths)


def test_broad_excepts_stand_at_the_named_borders_only() -> None:
    found = set()
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name | None):
                name = getattr(node.type, "id", None)
                reraises = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in node.body)
                if name in {None, "Exception", "BaseException"} and not reraises:
                    found.add(str(path.relative_to(ROOT)))
    assert found <= {
        "agents/child.py", "arena/cli/__init__.py", "arena/execution/executor.py", "arena/referee/reports.py",
        "arena/sandbox/zygote.py", "games/base.py", "games/contract.py",
    }  # fmt: skip


def test_every_public_name_exists_and_the_lists_are_sorted() -> None:
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(ROOT / package)], prefix=f"{package}."):
            if module.name.endswith("__main__"):
                continue
            loaded = importlib.import_module(module.name)
            names = getattr(loaded, "__all__", None)
            if names is not None:
                assert all(hasattr(loaded, name) for name in names), module.name
                assert len(names) == len(set(names)), module.name


def rooms_of(package: str) -> set[str]:
    return {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}


def test_arena_holds_its_rooms_and_nothing_else() -> None:
    found = {path.name for path in (ROOT / "arena").iterdir() if path.name != "__pycache__"}
    assert found - rooms_of("arena") == BESIDE_ROOMS
    assert rooms_of("arena") <= ROOMS


def test_no_room_of_arena_bears_the_name_of_a_function_of_the_api() -> None:
    assert ROOMS.isdisjoint(API)
    assert API.isdisjoint(rooms_of("arena"))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_sub_package_says_what_lives_there(package: str) -> None:
    for path in (ROOT / package).rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert len(text.split()) >= 7, f"{path} says too little: {text!r}"
        assert text.endswith("."), path
        assert not {"todo", "placeholder", "tbd", "fixme"} & set(text.lower().replace(".", " ").split()), path


@pytest.mark.parametrize("package", ["arena", "results"])
def test_an_import_contract_covers_every_room(package: str) -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    contracts = [config[name] for name in config.sections() if name.startswith("importlinter:contract:")]
    (layers,) = [found for found in contracts if found.get("containers", "").split() == [package]]
    assert layers["type"] == "layers"
    assert layers.getboolean("exhaustive")
    named = set(layers["layers"].replace("|", " ").replace(":", " ").split())
    assert {name.strip("()") for name in named} >= rooms_of(package)


@pytest.mark.parametrize("module", ["arena", "arena.cli", *(f"arena.cli.{name}" for name in COMMANDS)])
def test_heavy_libraries_are_loaded_by_whom_they_serve(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(ran.stdout.split()) == set()


def test_the_import_contracts_hold() -> None:
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout


def test_the_import_contracts_cover_every_module_of_agents() -> None:
    # A forbidden list must grow with the package: whatever is not allowed is forbidden.
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    forbidden = set(config["importlinter:contract:agents-by-name"]["forbidden_modules"].split())
    found = {f"agents.{module.name}" for module in pkgutil.iter_modules([str(ROOT / "agents")])}
    allowed = {f"agents.{name}" for name in ("base", "seat", "names", "child", "external", "tracebacks")}
    assert forbidden == found - allowed


@pytest.mark.parametrize("package", [".", *PACKAGES])
def test_every_package_has_a_readme(package: str) -> None:
    assert lines(ROOT / package / "README.md") > 3


def test_the_readme_shows_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("make league", "make test", "make bench", *(f"arena {name}" for name in COMMANDS)):
        assert command in text

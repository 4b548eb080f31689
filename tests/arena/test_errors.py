"""The exception tree in the docstring of `arena.errors`."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import arena.errors
from arena.cli import _print_error
from games.errors import ArenaError

PACKAGES = ("games", "agents", "stockfish_bridge", "results", "arena")
#: Their own commands handle these.
HANDLED = {"CheckFailed", "MeasureFailed", "NoMove"}


def rows() -> Iterator[tuple[int, str, str, str]]:
    """The depth, name, module and exit code of each exception in the docstring."""
    for line in (arena.errors.__doc__ or "").splitlines():
        text = line.lstrip("│├└─ ")
        if line[:1] in ("│", "├", "└") or line.startswith(("    └", "ArenaError ")):
            name, module, code, *_ = text.split()
            yield (len(line) - len(text)) // 4, name, module, code


def import_everything() -> None:
    for package in PACKAGES:
        folder = importlib.import_module(package).__path__
        for module in pkgutil.walk_packages(folder, f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


def tree(kind: type[ArenaError], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """A class and its public subclasses in our packages."""
    if kind.__module__.partition(".")[0] in PACKAGES and not kind.__name__.startswith("_"):
        yield depth, kind.__name__, kind.__module__
        for below in kind.__subclasses__():
            yield from tree(below, depth + 1)


def test_every_exception_is_listed_below_its_base_class() -> None:
    import_everything()
    assert sorted(tree(ArenaError)) == sorted((depth, name, module) for depth, name, module, _ in rows())


@pytest.mark.parametrize(
    ("name", "module", "code"),
    [(name, module, code) for _, name, module, code in rows() if code != "-" and name not in HANDLED],
)
def test_the_exit_codes_are_true(name: str, module: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    kind = getattr(importlib.import_module(module), name)
    assert _print_error(kind("what happened")) == int(code)
    assert capsys.readouterr().err == "arena: what happened\n"


def test_other_exceptions_are_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _print_error(ValueError("a bug")) is None
    assert capsys.readouterr().err == ""

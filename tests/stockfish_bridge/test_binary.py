"""Finding engine binaries."""

import os
from pathlib import Path

import pytest

from stockfish_bridge.binary import FAIRY_STOCKFISH, STOCKFISH
from stockfish_bridge.errors import EngineMissing


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    return executable(tmp_path / "stockfish")


def executable(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("an engine")
    path.chmod(0o755)
    return path


def test_a_given_path_comes_first(binary, tmp_path):
    other = executable(tmp_path / "other" / "stockfish")
    environment = {"ARENA_STOCKFISH": str(other), "PATH": str(other.parent)}
    assert STOCKFISH.find(str(binary), environment=environment) == str(binary)


def test_then_the_environment_variable(binary, tmp_path):
    other = executable(tmp_path / "other" / "stockfish")
    environment = {"ARENA_STOCKFISH": str(other), "PATH": str(binary.parent)}
    assert STOCKFISH.find(environment=environment) == str(other)


def test_then_the_search_path(binary):
    assert STOCKFISH.find(environment={"PATH": str(binary.parent)}) == str(binary)


def test_then_the_games_of_debian(tmp_path):
    assert FAIRY_STOCKFISH.find(environment={"PATH": str(tmp_path)}) == "/usr/games/fairy-stockfish"
    assert STOCKFISH.find(environment={}) == "/usr/games/stockfish"


def test_each_engine_has_a_variable_of_its_own(binary):
    environment = {"ARENA_STOCKFISH": str(binary), "PATH": ""}
    assert FAIRY_STOCKFISH.find(environment=environment) == "/usr/games/fairy-stockfish"


def test_the_environment_is_the_processes_own_unless_given(binary, monkeypatch):
    monkeypatch.setenv("ARENA_STOCKFISH", str(binary))
    assert STOCKFISH.find() == str(binary)


def test_a_relative_path_becomes_absolute(binary, monkeypatch):
    monkeypatch.chdir(binary.parent)
    assert STOCKFISH.find("./stockfish") == str(binary)


def test_a_link_is_followed(binary, tmp_path):
    (tmp_path / "link").symlink_to(binary)
    assert STOCKFISH.find(str(tmp_path / "link")) == str(binary)


def test_a_home_is_found(binary, monkeypatch):
    monkeypatch.setenv("HOME", str(binary.parent))
    assert STOCKFISH.find("~/stockfish") == str(binary)


def test_a_missing_engine_is_reported_in_one_line_with_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr("stockfish_bridge.binary._GAMES", str(tmp_path))
    with pytest.raises(EngineMissing) as caught:
        FAIRY_STOCKFISH.find(environment={"PATH": str(tmp_path)})
    text = str(caught.value)
    assert "\n" not in text
    for part in ("no fairy-stockfish", "apt-get install fairy-stockfish", "stockfish:path=", "ARENA_FAIRY_STOCKFISH"):
        assert part in text


def test_a_wrong_path_is_an_error_and_is_not_ignored(tmp_path):
    with pytest.raises(EngineMissing, match="'/nowhere/engine', given by path: there is no such file"):
        STOCKFISH.find("/nowhere/engine")
    with pytest.raises(EngineMissing, match="'/nowhere/engine', given by ARENA_STOCKFISH: there is no"):
        STOCKFISH.find(environment={"ARENA_STOCKFISH": "/nowhere/engine", "PATH": "/usr/games"})
    with pytest.raises(EngineMissing, match="it is not a file"):
        STOCKFISH.find(str(tmp_path))


def test_a_file_that_cannot_be_executed_is_refused(binary):
    binary.chmod(0o644)
    assert not os.access(binary, os.X_OK)
    with pytest.raises(EngineMissing, match="cannot be executed"):
        STOCKFISH.find(str(binary))


@pytest.mark.parametrize("path", ["a\0b", "~nobody-of-that-name/engine", "x" * 5000])
def test_an_impossible_path_is_refused(path):
    with pytest.raises(EngineMissing, match="given by path: "):
        STOCKFISH.find(path)

"""Mistakes that are found before the first game: one line, exit code 2, and nothing is stored."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import run
from arena.entrants import grants
from arena.errors import Void
from arena.sandbox.launch import Rules, Zygote

LIBRARY = "onnxruntime"
#: Commands that play, each with two agents and all options that it requires.
PLAYING = [
    ("league", "random", "greedy"),
    ("play", "random", "greedy"),
    ("benchmark", "random", "greedy"),
    ("match", "random", "greedy", "--sprt", "0", "10"),
]
STUDY = """
title = "One match"
question = "Who is better?"
claim = "Greedy."

[[parts]]
name = "match"
label = "A match"
entrants = ["random", "greedy"]
short = {}
"""


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that must be refused in one line, with nothing stored; the line, without `arena: `."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))

    def command(*words: str) -> str:
        code = run(words)
        out, err = capfd.readouterr()
        assert (code, out) == (2, "")
        assert not list(tmp_path.glob("*.db"))
        assert not (tmp_path / "home" / "submissions.db").exists()
        (line,) = err.splitlines()
        return line.removeprefix("arena: ")

    return command


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the library were not installed."""
    found = grants.find_spec
    monkeypatch.setattr(grants, "find_spec", lambda name: None if name == LIBRARY else found(name))


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("words", [*PLAYING, ("check", "random")], ids=lambda words: words[0])
def test_a_needed_library_that_is_not_installed_is_refused(refused: Callable[..., str], words: tuple[str, ...]) -> None:
    assert refused(*words, "--needs", LIBRARY) == f"needs: the library {LIBRARY} is not installed"


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("words", [*PLAYING, ("check", "random")], ids=lambda words: words[0])
def test_a_library_that_an_entrant_needs_must_be_installed(refused: Callable[..., str], words: tuple[str, ...]) -> None:
    agent = f"random:needs={LIBRARY}"
    changed = [agent if word == "random" else word for word in words]
    assert refused(*changed) == f"{agent}: the library {LIBRARY} is not installed"


@pytest.mark.usefixtures("no_library")
def test_a_submission_with_a_missing_library_is_refused(refused: Callable[..., str], faulty: Path) -> None:
    line = refused("submit", str(faulty / "steady.py"), "--needs", LIBRARY)
    assert line == f"steady: the library {LIBRARY} is not installed"


@pytest.mark.usefixtures("no_library")
def test_a_study_with_a_missing_library_is_refused(refused: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(STUDY)
    assert refused("study", "./mine.toml", "--needs", LIBRARY) == f"needs: the library {LIBRARY} is not installed"
    assert not (tmp_path / "studies").exists()


def test_a_library_that_fails_to_load_is_reported_without_a_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    zygote = Zygote("microchess", needs=["no_such_library"])
    try:
        with pytest.raises(Void, match="could not load microchess, no_such_library: ModuleNotFoundError: No module"):
            zygote.start(None, Rules())
    finally:
        zygote.close()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("words", [*PLAYING, ("check", "random")], ids=lambda words: words[0])
def test_a_bundled_agent_of_another_game_is_refused(refused: Callable[..., str], words: tuple[str, ...]) -> None:
    changed = ["othello" if word == "random" else word for word in words]
    assert refused(*changed) == "othello plays othello, not microchess"


@pytest.mark.parametrize(
    ("agent", "game"),
    [("gomoku", "go"), ("mushroom_greedy", "chess"), ("agents.othello.uct_agent.OthelloUCTAgent", "gomoku")],
)
def test_every_specialist_is_refused_in_another_game(refused: Callable[..., str], agent: str, game: str) -> None:
    line = refused("league", "random", agent, "--game", game)
    assert line.startswith(f"{agent} plays ")
    assert line.endswith(f", not {game}")


@pytest.mark.parametrize(
    ("agent", "what"),
    [("random:memory=1K", "memory must be at least 64M, not '1K'"),
     ("random:memory=99999G", "memory must be at most 1024G, not '99999G'"),
     ("random:memory=some", "memory must be an amount of memory such as \"512M\" or \"1G\", not 'some'")],
)  # fmt: skip
def test_the_memory_of_an_entrant_has_limits(refused: Callable[..., str], agent: str, what: str) -> None:
    assert refused("league", agent, "greedy") == f"{agent!r}: {what}"


def test_results_are_not_written_to_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["league", "random", "greedy", "--db", "-"]) == 2
    assert "results cannot be written to stdout; name a file" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []

"""A teacher's notebook, executed for real: everything without the command line."""

import os
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = {
    "imports": "import random\nimport arena\nfrom agents import BaseAgent",
    "constants": "FAVOURITES = ['capture', 'any']\n\ndef pick(rng, moves):\n    return rng.choice(moves)",
    "agent": (
        "class Capturer(BaseAgent):\n"
        "    '''Captures when it can.'''\n"
        "    def act(self, state):\n"
        "        moves = list(state.legal_moves)\n"
        "        captures = [move for move in moves if state.is_capture(move)]\n"
        "        assert FAVOURITES[0] == 'capture' and random.random() < 1\n"
        "        return pick(self.rng, captures or moves)"
    ),
    "check": "report = arena.check(Capturer)\nassert report.passed, report.why_not\nprint(report)",
    "report": "report",
    "one version": "class Version(BaseAgent):\n    def act(self, state):\n        return list(state.legal_moves)[0]",
    "kept": "Old = Version",
    "two versions": (
        "for number in range(2):\n"
        "    class Version(BaseAgent):\n"
        "        number = number\n"
        "        def act(self, state):\n"
        "            return list(state.legal_moves)[-1]"
    ),
    "versions": (
        "versions = arena.play(Old, Version, turns=2, db='versions.db')\n"
        "states = [versions[0], versions[1]]\n"
        "print([move.text for move in versions.record.moves]\n"
        "      == [str(list(states[0].legal_moves)[0]), str(list(states[1].legal_moves)[-1])])"
    ),
    "match": "match = arena.match('random', Old, sprt=(-1, 1), games=4, turns=2, db='versions.db')",
    "file": "arena.open('versions.db')",
    "play": "game = arena.play(Capturer, 'random', turns=8, seed='1')\nprint(len(game), game.result)",
    "board": "game",
    "state": "print(game[3])",
    "broken agent": (
        "class Broken(BaseAgent):\n    def act(self, state):\n        raise ValueError('not <b>today</b>')"
    ),
    "league": (
        "result = arena.league([Capturer, Broken, 'random'], turns=8, seed='1', name='class', suspend_after='never')"
    ),
    "table": "result.standings",
    "plot": "result.standings.plot()",
    "frame": "frame = result.to_pandas()\nprint(sorted(frame['agent']))",
    "faults": (
        "faults = result.games(faults=True)\n"
        "print(len(faults), {(game.fault.rule, game.fault.phase) for game in faults})"
    ),
    "stored": "with arena.open() as results:\n    print(len(results.games('class')))\nprint(arena.standings())",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The outputs of every cell by its name."""
    folder = tmp_path_factory.mktemp("notebook")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    before = os.environ.get("ARENA_HOME")
    os.environ["ARENA_HOME"] = str(folder / "home")
    try:
        NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(folder)}}).execute()
    finally:
        if before is None:
            del os.environ["ARENA_HOME"]
        else:
            os.environ["ARENA_HOME"] = before
    return {name: cell.outputs for name, cell in zip(CELLS, cells, strict=True)}


def text(outputs: list[Any]) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def shown(outputs: list[Any], kind: str) -> str:
    """The last rich output of this kind."""
    found = [output.data[kind] for output in outputs if kind in getattr(output, "data", {})]
    assert found, outputs
    return str(found[-1])


def test_an_agent_of_a_cell_passes_its_check(outputs: dict[str, list[Any]]) -> None:
    assert text(outputs["check"]) == "Capturer: passed\n"


def test_a_check_and_a_results_file_are_shown_as_tables(outputs: dict[str, list[Any]]) -> None:
    assert "Capturer: passed" in shown(outputs["report"], "text/html")
    file = shown(outputs["file"], "text/html")
    assert "match-1" in file
    assert "play-1" in file


def test_a_class_of_an_earlier_cell_plays_its_own_code(outputs: dict[str, list[Any]]) -> None:
    assert text(outputs["versions"]) == "True\n"


def test_the_progress_bar_of_a_match_shows_how_many_games_are_wanted(outputs: dict[str, list[Any]]) -> None:
    assert "4/4 games" in shown(outputs["match"], "text/html")


def test_a_game_is_played_and_drawn_and_can_be_stepped_through(outputs: dict[str, list[Any]]) -> None:
    turns, result = text(outputs["play"]).split()
    assert 1 <= int(turns) <= 8
    assert result in ("1-0", "0-1", "1/2-1/2")
    assert shown(outputs["board"], "image/svg+xml").startswith("<svg")
    assert len(text(outputs["state"]).splitlines()) == 6


def test_a_league_shows_a_progress_bar_a_table_and_a_plot(outputs: dict[str, list[Any]]) -> None:
    assert "6/6 games" in shown(outputs["league"], "text/html")
    table = shown(outputs["table"], "text/html")
    assert "<table" in table
    assert all(name in table for name in ("Capturer", "Broken", "random"))
    assert shown(outputs["plot"], "image/svg+xml").startswith("<svg")
    assert text(outputs["frame"]) == "['Broken', 'Capturer', 'random']\n"


def test_faults_are_read_as_data(outputs: dict[str, list[Any]]) -> None:
    assert text(outputs["faults"]) == "4 {('exception', 'act')}\n"


def test_the_results_file_is_opened_from_python(outputs: dict[str, list[Any]]) -> None:
    assert text(outputs["stored"]).startswith("6\n")
    assert "Capturer" in text(outputs["stored"])


def test_nothing_is_printed_but_what_the_notebook_prints(outputs: dict[str, list[Any]]) -> None:
    for name, found in outputs.items():
        assert all(output.output_type != "error" for output in found), name
        assert not any(output.output_type == "stream" and output.name == "stderr" for output in found), (name, found)

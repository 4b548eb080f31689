"""Agents of the earlier Microchess platform run unchanged, and its module is found only where nothing else is."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import pytest

from agents import earlier_platform
from agents.child import Loop, _EarlierPlatform
from agents.earlier_platform import Environment, Evaluator, Move, State
from games.base import BLACK, WHITE, load
from games.errors import IllegalMove

AGENTS = sorted((Path(__file__).parent / "earlier").glob("*.py"))
WON = "k3/4/1K2/4/3R w - - 0 1"


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module table and the finders as they were, after the test."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in [name for name in sys.modules if name.split(".")[0] == "scripts"]:
        monkeypatch.delitem(sys.modules, name)
    for path in AGENTS:
        monkeypatch.delitem(sys.modules, path.stem, raising=False)


def answer(loop: Loop, request: str, **arguments: Any) -> bytes:
    import json

    return loop.handle(b"12345678" + json.dumps({request: arguments}).encode())[8:]


@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
@pytest.mark.usefixtures("clean")
def test_a_search_agent_of_the_earlier_platform_plays(path: Path) -> None:
    state, loop = load("microchess:turns=12").start(), Loop()
    given = {"game": "microchess:turns=12", "start": state.text, "stage": str(path.parent), "name": "old", "seed": 1}
    try:
        assert answer(loop, "load", agent=path.name, options={}, color=True, **given) == b"k"
        assert answer(loop, "reset") == b"k"
        moves: list[str] = []
        while not state.is_game_over():
            if state.turn == WHITE:
                reply = answer(loop, "act", moves=moves, own=400.0, opponent=400.0)
                assert reply[:1] == b"m", reply
                moves.append(str(state.parse(reply[1:].decode())))
            else:
                moves.append(str(state.legal_moves[0]))
            state = state.forward(state.parse(moves[-1]))
        assert answer(loop, "close") == b"k"
    finally:
        for name in ("scripts", "scripts.run_game", path.stem):
            sys.modules.pop(name, None)


def test_there_are_five_of_them() -> None:
    assert len(AGENTS) == 5


def test_the_module_is_not_there_outside_of_a_players_process() -> None:
    ran = subprocess.run([sys.executable, "-c", "import scripts.run_game"], capture_output=True, text=True, check=False)
    assert "No module named 'scripts'" in ran.stderr


@pytest.mark.usefixtures("clean")
def test_a_participants_own_module_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "scripts"
    own.mkdir()
    (own / "run_game.py").write_text("mine = True\n")
    sys.path.insert(0, str(tmp_path))
    sys.meta_path.append(_EarlierPlatform())
    try:
        import scripts.run_game  # type: ignore[import-not-found]

        assert scripts.run_game.mine
    finally:
        for name in ("scripts", "scripts.run_game"):
            sys.modules.pop(name, None)


def test_evaluations_are_from_the_view_of_a_side() -> None:
    state = load("microchess").position("k3/4/4/4/3R w - - 0 1".replace("3R", "2KR"))
    assert Evaluator.eval(state, WHITE) == pytest.approx(9 / 13)
    assert Evaluator.eval_2(state, BLACK) == pytest.approx(-5 / 13)
    assert Evaluator.win_or_lose(state, WHITE) == 0.5
    mate = load("microchess").position("k3/2Q1/1K2/4/4 b - - 0 1")
    assert mate.is_game_over() == (mate.ending is not None)


def test_an_environment_plays_a_game_to_its_turn_limit() -> None:
    env = Environment()
    state = env.reset(max_turns=2)
    assert isinstance(state, State)
    assert isinstance(state, chess.Board)
    state, points, done, rest = env.step(Move.from_uci("d2d3"))
    assert (points, done, rest) == ([0.0, 0.0], False, {})
    assert state.color == BLACK
    state, points, done, _ = env.step(next(iter(state.legal_moves)))
    assert (sum(points), done) == (1.0, True)
    with pytest.raises(IllegalMove):
        env.step(Move.from_uci("a1a2"))


def test_an_environment_begins_at_a_position_of_either_form(capsys: pytest.CaptureFixture[str]) -> None:
    env = Environment()
    for fen in ("k2r/p3/4/3P/R2K w Qk - 0 1", "8/8/8/k2r4/p7/8/3P4/R2K4 w Kk - 0 1"):
        assert len(list(env.reset(fen).legal_moves)) == 10
    env.render()
    env.close()
    assert capsys.readouterr().out.splitlines()[0].endswith("k . . r")


def test_the_module_has_the_names_of_the_earlier_one() -> None:
    assert set(earlier_platform.__all__) == {"TIME_LIMIT", "Environment", "Evaluator", "Move", "State"}
    assert earlier_platform.TIME_LIMIT == 400

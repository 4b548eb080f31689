"""Invalid input does not crash a kernel."""

import subprocess
import sys
from pathlib import Path

import pytest


def fuzz(game: str, seconds: int) -> None:
    words = [sys.executable, "-P", str(Path(__file__).parent / "fuzz.py"), game, str(seconds), "7"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.startswith(f"{game}: ")


@pytest.mark.parametrize("game", ["chess", "microchess", "othello", "gomoku", "mushroom", "go"])
def test_invalid_input_for_a_second(game: str) -> None:
    fuzz(game, 1)


@pytest.mark.soak
@pytest.mark.parametrize("game", ["chess", "microchess", "othello", "gomoku", "mushroom", "go"])
def test_invalid_input_for_two_minutes(game: str) -> None:
    fuzz(game, 120)

"""Games to step through inside a page."""

import json
import re
import subprocess
from pathlib import Path

from games.base import load
from results.pages.example_games import SCRIPTS, ExampleGame, example_games
from results.pages.page import Page, standalone


def value(lines: list[str]) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', lines[-1])
    assert found is not None
    return dict(json.loads(found[1]))


GAMES = [ExampleGame("generation 1", ("d2d3", "a4a3")), ExampleGame("<generation 2>", ("d2d3", "z9z9", "a4a3"))]


def test_every_turn_has_its_board_and_caption() -> None:
    lines = example_games(load("microchess"), GAMES)
    found = value(lines)
    assert [len(film["changes"]) for film in found["films"]] == [3, 2]  # type: ignore[attr-defined]
    assert [len(texts) for texts in found["texts"]] == [3, 2]  # type: ignore[attr-defined]
    assert found["captions"] == [
        ["start, 2 turns follow", "turn 1 of 2: d2d3", "turn 2 of 2: a4a3"],
        ["start, 1 turn follows", "turn 1 of 1: d2d3"],  # the rules do not accept what follows
    ]
    assert "<generation 2>" not in "".join(lines)


def test_the_last_caption_names_the_ending() -> None:
    game = load("gomoku:size=5")
    moves = tuple(f"{x},{y}" for x in range(5) for y in (0, 1))[:9]
    found = value(example_games(game, [ExampleGame("x", moves)]))
    assert str(found["captions"]).endswith(", five']]")


def test_a_game_may_begin_elsewhere() -> None:
    start = "kn2/4/4/2R1/3K w - - 0 1"
    found = value(example_games(load("microchess"), [ExampleGame("x", ("d1c1",), start)]))
    assert "turn 1 of 1: d1c1" in str(found["captions"])


def test_a_browser_shows_the_last_position_first(tmp_path: Path) -> None:
    page = standalone(Page("x", ["<main>", *example_games(load("microchess"), GAMES), "</main>"], SCRIPTS))
    (tmp_path / "x.html").write_text(page)
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{tmp_path}/x.html"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "turn 1 of 1: d2d3" in ran.stdout.partition("<script")[0]
    assert '<div id="controls">' in ran.stdout

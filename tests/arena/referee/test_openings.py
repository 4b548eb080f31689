"""Openings: random moves and files of positions."""

from pathlib import Path

import pytest

from arena.errors import BadSettings
from arena.referee import openings
from games.base import load
from games.errors import BadPosition


@pytest.mark.parametrize("name", ["microchess", "chess", "othello"])
def test_an_opening_is_legal_and_leaves_the_game_open(name: str) -> None:
    start = load(name).start()
    for seed in range(50):
        state = start
        moves = openings.seeded(start, turns=6, seed=seed)
        for text in moves:
            state = state.forward(state.parse(text))
        assert (len(moves), state.ending) == (6, None)


def test_the_same_seed_gives_the_same_opening_and_others_differ() -> None:
    start = load("microchess").start()
    drawn = [openings.seeded(start, turns=4, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 4


def test_an_opening_after_which_the_game_is_always_over_is_refused() -> None:
    with pytest.raises(BadSettings, match="after 4 opening turns the game is always over"):
        openings.seeded(load("microchess:turns=4").start(), turns=4, seed=1)


def test_a_file_of_openings_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# two positions\n\nk3/4/4/1R2/3K w - - 0 1\n  k3/4/4/1R2/3K b - - 0 1  \n")
    assert openings.read(path, load("microchess")) == ("k3/4/4/1R2/3K w - - 0 1", "k3/4/4/1R2/3K b - - 0 1")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("k3/4/4/1R2/3K w - - 0 1\nrubbish\n", "line 2"),
        ("k3/4/4/4/3K w - - 0 1\n", "the game is over"),
    ],
)
def test_the_error_names_the_bad_line(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(content)
    with pytest.raises(BadPosition, match=words):
        openings.read(path, load("microchess"))


def test_an_empty_or_unreadable_file_is_a_clear_error(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty", tmp_path / "binary"
    empty.write_text("# nothing\n")
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSettings, match="has no positions"):
        openings.read(empty, load("microchess"))
    with pytest.raises(BadSettings, match="cannot read"):
        openings.read(binary, load("microchess"))

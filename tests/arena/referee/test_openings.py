"""Openings: random moves and files of positions."""

from pathlib import Path

import pytest

from arena.errors import BadSettings
from arena.referee import openings
from arena.referee.openings import Opening
from games.base import load


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


def test_a_book_in_latin_1_is_read_and_one_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.pgn"
    path.write_bytes('[White "M\xfcller"]\n\n1. e4 e5 *\n'.encode("latin-1"))
    assert openings.read(path, load("chess")) == (Opening("", ("e2e4", "e7e5")),)
    path.write_bytes("1. e4 e5 *".encode("utf-16"))
    with pytest.raises(BadSettings, match=r"book\.pgn: it is not a text file$"):
        openings.read(path, load("chess"))


def test_a_file_of_openings_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# two positions\n\nk3/4/4/1R2/3K w - - 0 1\n  k3/4/4/1R2/3K b - - 0 1  \n")
    assert openings.read(path, load("microchess")) == (
        Opening("k3/4/4/1R2/3K w - - 0 1"), Opening("k3/4/4/1R2/3K b - - 0 1"),
    )  # fmt: skip


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
    with pytest.raises(BadSettings, match=words):
        openings.read(path, load("microchess"))


def test_an_empty_or_unreadable_file_is_a_clear_error(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty", tmp_path / "binary"
    empty.write_text("# nothing\n")
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSettings, match="has no openings"):
        openings.read(empty, load("microchess"))
    with pytest.raises(BadSettings, match="cannot read"):
        openings.read(binary, load("microchess"))


RUY = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
PGN = """[Event "a book"]
[White "?"]

1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 {Spanish} 3. Bb5 *

[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kd7 1/2-1/2
"""


def write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_the_moves_of_a_pgn_are_played_from_its_start(tmp_path: Path) -> None:
    assert openings.read(write(tmp_path, "book.PGN", PGN), load("chess")) == (
        Opening("", RUY), Opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ("e2e4", "e8d7")),
    )  # fmt: skip


def test_lines_of_epd_have_operations_or_counters(tmp_path: Path) -> None:
    board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
    lines = f'{board}\n{board} hmvc 3; fmvn 7; id "x 4";\n{board} 5 9\n{board} bm e5;\n'
    found = openings.read(write(tmp_path, "book.epd", lines), load("chess"))
    assert [opening.start.removeprefix(board) for opening in found] == [" 0 1", " 3 7", " 5 9", " 0 1"]
    assert openings.read(write(tmp_path, "b.epd", "k3/4/4/1R2/3K w - -\n"), load("microchess")) == (
        Opening("k3/4/4/1R2/3K w - - 0 1"),
    )


def test_games_of_go_are_read_from_sgf(tmp_path: Path) -> None:
    text = "(;GM[1]SZ[9]KM[5.5];B[cc];W[gg](;B[cg])(;B[gc]))(;SZ[9]AB[cc][gg];W[ee])"
    path = write(tmp_path, "book.sgf", text)
    first, second = openings.read(path, load("go:size=9,komi=7"))
    assert first == Opening("", ("C7", "G3", "C3"))
    assert second.start.startswith("........./........./..X")
    assert second.moves == ("E5",)
    with pytest.raises(BadSettings, match=r"book.sgf: game 1 is go of size 9, not go of size 13$"):
        openings.read(path, load("go:size=13"))


def test_transcripts_of_othello_are_read_whatever_the_name_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "book.txt", "f5d6c3d3c4\nf5f6\n")
    assert openings.read(path, load("othello")) == (
        Opening("", ("f5", "d6", "c3", "d3", "c4")), Opening("", ("f5", "f6")),
    )  # fmt: skip
    start = load("othello").start().text
    assert openings.read(write(tmp_path, "starts.txt", start), load("othello")) == (Opening(start),)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("book.pgn", "1. e4 e5 2. Ke3 *", "game 1 of the PGN cannot be read"),
        ("book.pgn", "1. f3 e5 2. g4 Qh4# 0-1", "game 1: the game is over after its 4 moves: checkmate; cut it"),
        ("book.epd", "rubbish", "line 1: "),
        ("book.pgn", "", "has no openings"),
    ],
)
def test_a_bad_book_is_one_clear_line(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(BadSettings, match=f"{name}.*{words}"):
        openings.read(write(tmp_path, name, text), load("chess"))


def test_a_random_order_uses_every_opening_once_before_it_begins_again() -> None:
    book = [Opening(str(number)) for number in range(20)]

    def used(order: openings.OpeningOrder, secret: int) -> list[Opening]:
        return [openings.nth(book, number, order=order, seed=lambda run: secret + run) for number in range(40)]

    assert used("sequential", 1) == book * 2
    drawn = used("random", 1)
    assert sorted(drawn[:20]) == sorted(drawn[20:]) == sorted(book)
    assert book != drawn[:20] != drawn[20:] != used("random", 7)[:20]
    assert drawn == used("random", 1)

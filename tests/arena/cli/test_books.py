"""Books of openings: `--openings FILE`, from the command line to the stored games."""

import json
from typing import Any


def test_the_games_of_a_league_begin_with_the_moves_of_a_book(arena: Any) -> None:
    arena.folder.joinpath("book.pgn").write_text("1. e4 c5 *\n\n1. d4 d5 2. c4 *\n")
    command = ("league", "random", "first_move", "--game", "chess", "--turns", "8", "--openings", "book.pgn",
               "--rounds", "2", "--workers", "1", "--name", "cup")  # fmt: skip
    assert arena(*command).code == 0
    records = json.loads(arena("export", "--format", "json").out)
    expected = [["e2e4", "c7c5"]] * 2 + [["d2d4", "d7d5", "c2c4"]] * 2
    assert [record["opening"] for record in records] == expected
    assert all(record["moves"][: len(record["opening"])] == record["opening"] for record in records)
    assert "4 of 4 games were already stored" in arena(*command).err
    assert "opening-order was sequential, is random" in arena(*command, "--opening-order", "random").error

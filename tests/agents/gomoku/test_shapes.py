"""What a stone makes of a line, in diagrams of nine points around it."""

import itertools

import pytest

from agents.gomoku.shapes import VALUES, Shape, shape

LINES = {
    Shape.FIVE: ["XXXXX....", "....XXXXX", ".XXXXXX..", "#XXXXX###", "XXXXXXXXX", "..XXXXX#."],
    Shape.OPEN_FOUR: [".XXXX....", "#.XXXX.##", "...XXXX.#", "X.XXX.X..", "#.XXXX.X#", "XX.XX.XX#"],
    Shape.FOUR: ["#XXXX....", "..#XXXX.#", "X.XXX####", "#XX.XX.##", "####X.XXX", "#.XXXX###"],
    Shape.OPEN_THREE: ["..XXX....", ".X.XX....", "#.XXX..##", "##..XXX.#", "...XX.X.#"],
    Shape.THREE: ["#XXX.....", "#X.XX..##", "X..XX####", "#.XXX.###", "#X..XX.##"],
    Shape.OPEN_TWO: ["...XX....", "....X.X..", "..X.X....", "#..XX..##"],
    Shape.TWO: ["###XX...#", "#..XX.###", "X...X####", "##X.X..##"],
    Shape.ONE: ["....X....", "####X....", "#...X.###"],
    Shape.NOTHING: ["####X####", "#..#X...#", "###.X..##", "X##XX##XX"],
}


@pytest.mark.parametrize(("expected", "line"), [(kind, line) for kind, lines in LINES.items() for line in lines])
def test_a_line_has_its_shape(expected, line):
    assert shape(line) == expected
    assert shape(line[::-1]) == expected


def all_lines():
    return ("".join([*around[:4], "X", *around[4:]]) for around in itertools.product("X.#", repeat=8))


def test_a_line_has_five_exactly_if_five_stones_with_the_middle_one_follow_one_another():
    for line in all_lines():
        long = any(all(line[place] == "X" for place in range(start, start + 5)) for start in range(5))
        assert (shape(line) == Shape.FIVE) == long


def test_a_four_has_one_point_that_makes_five_and_an_open_four_more():
    for line in all_lines():
        if shape(line) == Shape.FIVE:
            continue
        nexts = [line[:place] + "X" + line[place + 1 :] for place in range(9) if line[place] == "."]
        fives = sum("XXXXX" in after for after in nexts)
        assert (shape(line) == Shape.FOUR) == (fives == 1)
        assert (shape(line) == Shape.OPEN_FOUR) == (fives > 1)


def test_one_more_stone_never_makes_a_line_worse_and_a_closed_point_never_better():
    for line in all_lines():
        for place in range(9):
            if line[place] == ".":
                assert shape(line[:place] + "X" + line[place + 1 :]) >= shape(line)
                assert shape(line[:place] + "#" + line[place + 1 :]) <= shape(line)


def test_a_better_shape_is_worth_more():
    assert list(VALUES) == sorted(VALUES)
    assert len(VALUES) == len(Shape)

"""The text of the Gomocup protocol: what one side writes, the other side reads."""

import pytest

from agents.external.gomocup_syntax import (
    LIMITS,
    OPPONENT,
    OWN,
    About,
    Stone,
    info_line,
    read_number,
    read_point,
    split_line,
)


@pytest.mark.parametrize("stone", [Stone("0,0", OWN), Stone("18,7", OPPONENT), Stone("3,3", "3")])
def test_a_stone_that_is_written_is_read(stone: Stone) -> None:
    assert Stone.read(str(stone)) == stone


@pytest.mark.parametrize("line", ["1,1", "1,1,4", "x", "99,1,1,1", "DONE", ""])
def test_a_line_of_another_form_is_not_a_stone(line: str) -> None:
    assert Stone.read(line) is None


@pytest.mark.parametrize(("text", "point"), [("5,7", "5,7"), ("5 , 07", "5,7"), ("5;7", None), ("5,7,1", None)])
def test_points_are_read(text: str, point: str | None) -> None:
    assert read_point(text) == point


def test_a_name_that_is_written_is_read() -> None:
    assert About.read(str(About("arena uct", "1.0"))) == About("arena uct", "1.0")
    assert str(About('my "bot"', "1")) == 'name="my \'bot\'", version="1"'


@pytest.mark.parametrize("key", LIMITS)
def test_a_limit_that_is_written_is_read(key: str) -> None:
    word, rest = split_line(info_line(key, 5000))
    assert (word, rest) == ("INFO", f"{key} 5000")
    assert read_number(rest.removeprefix(f"{key} ")) == 5000


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "9" * 13])
def test_other_texts_are_not_numbers(text: str) -> None:
    assert read_number(text) is None


def test_the_first_word_of_a_line_is_in_upper_case_without_a_colon() -> None:
    assert [split_line(line) for line in ("turn 7,7", "ERROR: no", "ok")] == [
        ("TURN", "7,7"), ("ERROR", "no"), ("OK", ""),
    ]  # fmt: skip

"""The text of GTP: what one side writes, the other side reads."""

import pytest

from agents.external import gtp_syntax as gtp
from games.base import BLACK, WHITE, load


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("genmove b", gtp.Command("genmove", ("b",))),
        ("17 play black D4", gtp.Command("play", ("black", "D4"), "17")),
        ("  3\tquit  # the end", gtp.Command("quit", (), "3")),
        ("5", gtp.Command("", (), "5")),
        ("", None),
        ("# comment", None),
        ("\x07\r", None),
    ],
)
def test_commands_are_read(line: str, command: gtp.Command | None) -> None:
    assert gtp.Command.read(line) == command


@pytest.mark.parametrize(
    "reply", [gtp.Reply("D4"), gtp.Reply("", number="7"), gtp.Reply("no", is_failure=True, number="12")]
)
def test_a_reply_that_is_written_is_read(reply: gtp.Reply) -> None:
    line, end = str(reply).split("\n")
    assert gtp.Reply.read(line) == reply
    assert end == ""


@pytest.mark.parametrize("line", ["D4", "", " = D4", "ok"])
def test_a_reply_begins_with_its_sign(line: str) -> None:
    assert gtp.Reply.read(line) is None


@pytest.mark.parametrize("settings", [gtp.TimeSettings(30, 0, 0), gtp.TimeSettings(0, 10, 2)])
def test_time_settings_that_are_written_are_read(settings: gtp.TimeSettings) -> None:
    assert gtp.TimeSettings.read(str(settings).split()) == settings
    assert not settings.is_unlimited


@pytest.mark.parametrize("settings", [gtp.TimeSettings(0, 0, 0), gtp.TimeSettings(30, 10, 0)])
def test_time_settings_without_a_limit(settings: gtp.TimeSettings) -> None:
    assert settings.is_unlimited


@pytest.mark.parametrize("left", [gtp.TimeLeft(BLACK, 12), gtp.TimeLeft(WHITE, 0, 3)])
def test_a_time_left_that_is_written_is_read(left: gtp.TimeLeft) -> None:
    assert gtp.TimeLeft.read(str(left).split()) == left


@pytest.mark.parametrize(("word", "color"), [("b", BLACK), ("Black", BLACK), ("W", WHITE), ("white", WHITE)])
def test_colours_have_long_and_short_names(word: str, color: bool) -> None:
    assert gtp.read_color([word]) == color


@pytest.mark.parametrize("vertex", ["D4", "t19", "PASS", "a1"])
def test_vertices_and_passes_are_read(vertex: str) -> None:
    assert gtp.read_vertex([vertex]) == vertex


def test_what_cannot_be_read_is_a_syntax_error() -> None:
    for words in ([], ["x"], ["I5"]):
        with pytest.raises(gtp.GtpFailure, match="syntax error"):
            gtp.read_color(words)
        with pytest.raises(gtp.GtpFailure, match="syntax error"):
            gtp.read_vertex(words)
        with pytest.raises(gtp.GtpFailure, match="syntax error"):
            gtp.read_numbers(words, 1)


def test_vertices_are_written_in_upper_case_and_a_pass_is_not() -> None:
    assert [gtp.vertex_text(move) for move in ("d3", "D4", "pass")] == ["D3", "D4", "pass"]


def test_a_game_has_a_title_and_a_board_size() -> None:
    assert [(gtp.game_title(load(name)), gtp.board_size(load(name))) for name in ("go:size=13", "othello")] == [
        ("Go", 13), ("Othello", 8),
    ]  # fmt: skip


def test_a_score_names_the_winner_and_the_difference() -> None:
    scores = [(45, 43.5), (30, 34), (8, 8)]
    assert [gtp.score_text(black=black, white=white) for black, white in scores] == ["B+1.5", "W+4", "0"]


def test_control_characters_are_removed_and_a_tab_is_a_space() -> None:
    assert gtp.clean("\x01=\x021\t1\x7f\r") == "=1 1"

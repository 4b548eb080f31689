"""Boards as HTML: every game has one, and what repeats is written once."""

import random
from dataclasses import dataclass
from html import escape

import pytest

import games
from results.notation.replay import Replay
from results.pages.boards import board, boards, pack, ratio, texts


@dataclass
class Drawn:
    """As much of a state as a board needs."""

    picture: object
    text: object = "a board <of text>"

    def svg(self, last=None):
        if isinstance(self.picture, Exception):
            raise self.picture
        return self.picture

    def __str__(self):
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


def random_boards(name, seed=1, turns=80):
    """The boards of a random game."""
    rng, state, last = random.Random(seed), games.load(name).start(), None
    drawn = [board(state, last)]
    while not state.is_game_over() and len(drawn) <= turns:
        last = rng.choice(list(state.legal_moves))
        state = state.forward(last)
        drawn.append(board(state, last))
    return drawn


@pytest.mark.parametrize("name", games.names())
def test_every_game_draws_a_picture(name):
    assert all(drawn.startswith("<svg") and drawn.endswith("</svg>") for drawn in random_boards(name, turns=5))


@pytest.mark.parametrize(
    "picture",
    [
        ValueError("no"), NotImplementedError(), RecursionError(), ZeroDivisionError(), "", "   ", None,
        b"<svg><g/></svg>", "<svg/>", "<svg></svg>", "<svg><g>", "<svg><g></svg>", "<svg><g/></svg><p>",
        "<svgs><g/></svgs>", "<b>no</b>",
        "<svg>\ud800<g/></svg>",
    ],
)  # fmt: skip
def test_a_game_without_a_complete_picture_is_shown_as_text(picture):
    assert board(Drawn(picture), None) == "<pre>a board &lt;of text&gt;</pre>"


def test_a_game_without_any_board_says_so():
    assert board(Drawn("", ""), None) == board(Drawn("", ValueError("no")), None) == "<pre>no board</pre>"


def test_a_text_board_keeps_its_lines_and_escapes_control_characters():
    assert board(Drawn("", "a\nb\x1b[31m\u202e"), None) == "<pre>a\nb\\x1b[31m\\u202e</pre>"


def test_turns_that_cannot_be_replayed_have_a_message_instead_of_a_board():
    played = Replay((Drawn("<svg><g/></svg>"),), (), "turn 1 cannot be <played>")
    assert boards(played, 2) == [
        "<svg><g/></svg>",
        *['<p class="missing">There is no board here: turn 1 cannot be &lt;played&gt;.</p>'] * 2,
    ]
    assert texts(played, 2) == ["a board <of text>", "no board", "no board"]


@pytest.mark.parametrize("name", games.names())
def test_packed_boards_can_be_unpacked(name):
    drawn = random_boards(name)
    assert pack(drawn).unpacked() == drawn


@pytest.mark.parametrize("wholes", [[], [""], ["a", ">", "a>b>a>", "", "b>a>"]])
def test_any_text_can_be_packed(wholes):
    assert pack(wholes).unpacked() == wholes


def test_repeated_parts_are_written_once():
    drawn = random_boards("chess")
    packed = pack(drawn)
    size = len("".join(packed.pieces)) + len(str(packed.runs))
    assert size < 0.1 * len("".join(drawn))


@pytest.mark.parametrize(
    ("html", "shape"),
    [
        ('<svg width="9" viewBox="0 150 195 240"><g/></svg>', 0.8125),
        ('<svg viewBox="-20,-20,385,385"><g/></svg>', 1.0),
        ('<svg viewBox="0 0 0 0"><g/></svg>', 1.0),
        ('<svg><g viewBox="0 0 1 2"/></svg>', 1.0),
        (f"<pre>{escape('<svg')}</pre>", 1.0),
    ],
)
def test_the_shape_of_a_board_is_that_of_its_view(html, shape):
    assert ratio(html) == shape

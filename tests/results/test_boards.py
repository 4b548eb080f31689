"""Boards for pages: every game has one, and what repeats is written once."""

import json
import random
from dataclasses import dataclass, replace

import pytest

import games
from games.view import KINDS, sprite_id
from results.pages.boards import board, film, picture, text_board, text_changes


@dataclass
class Plain:
    """As much of a state as a board needs, without a description of the board."""

    text: object = "a board <of text>"

    def __str__(self):
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


@dataclass
class Described(Plain):
    """A state that describes its board, or fails to."""

    described: object = None

    def view(self):
        if isinstance(self.described, Exception):
            raise self.described
        return self.described

    def path(self, move):
        return (move,)


def random_game(name, seed=1, turns=80):
    """The states and moves of a random game."""
    rng, states, moves = random.Random(seed), [games.load(name).start()], []
    while not states[-1].is_game_over() and len(moves) < turns:
        moves.append(rng.choice(list(states[-1].legal_moves)))
        states.append(states[-1].forward(moves[-1]))
    return states, moves


@pytest.mark.parametrize("name", games.names())
def test_every_game_draws_a_picture(name):
    states, moves = random_game(name, turns=5)
    assert board(states[-1], moves[-1]) == states[-1].svg(moves[-1])


@pytest.mark.parametrize("described", [ValueError("no"), RecursionError(), ZeroDivisionError(), "", None, b"<svg>"])
def test_a_game_that_does_not_describe_its_board_is_shown_as_text(described):
    shown = '<pre class="plain">a board &lt;of text&gt;</pre>'
    assert board(Plain(), None) == board(Described(described=described), "x") == shown
    assert film([Plain()], []) is film([Described(described=described)], []) is picture(Plain(), None) is None


def test_a_game_without_any_board_says_so():
    assert text_board(Plain("")) == text_board(Plain(ValueError("no"))) == "no board"


def test_a_text_board_keeps_its_lines_and_escapes_control_characters():
    assert text_board(Plain("a\nb\x1b[31m\u202e")) == "a\nb\\x1b[31m\\u202e"


@pytest.mark.parametrize("name", games.names())
def test_a_film_shows_what_the_states_hold(name):
    states, moves = random_game(name)
    shots = film(states, moves)
    held = [0] * len(states[0].view().cells)
    for state, change in zip(states, shots.changes, strict=True):
        for cell, thing in zip(change[::2], change[1::2], strict=True):
            held[cell] = thing
        for cell, thing in zip(state.view().cells, held, strict=True):
            kind = (sprite_id(cell.holds), "") if cell.holds in KINDS else ("", cell.holds)
            assert shots.things[thing] == kind


def test_a_film_marks_the_last_move_and_a_check():
    start = games.load("microchess").position("1kr1/4/4/4/R2K b - - 0 1")
    move = start.parse("c5c1")
    shots = film([start, start.forward(move)], [move])
    assert shots.last == [[], [2, 18]]
    assert shots.check == [[], [19]]


def test_a_film_of_boards_of_different_sizes_is_refused():
    small, large = (Described(described=games.load(f"go:size={size}").start().view()) for size in (5, 6))
    assert film([small, large], ["x"]) is None


def test_text_in_a_cell_is_cut_and_cannot_pose_as_a_shape():
    view = games.load("go:size=1").start().view()
    held = (replace(view.cells[0], holds="arena-white-king" + "x" * 50),)
    shots = film([Described(described=replace(view, cells=held))], [])
    assert all(not shape for shape, _ in shots.things)
    assert max(len(text) for _, text in shots.things) <= 12


def test_a_film_is_small():
    states, moves = random_game("chess")
    assert len(json.dumps(film(states, moves).as_dict())) < 0.02 * sum(len(state.svg()) for state in states)


@pytest.mark.parametrize("texts", [[], [""], ["a"], ["a b", "a c", "long", "long", "lung"], ["abcd", "wxyz"]])
def test_texts_can_be_put_together_again(texts):
    found, text = [], ""
    for change in text_changes(texts):
        letters = list(change if isinstance(change, str) else text)
        if not isinstance(change, str):
            for at, letter in zip(change[::2], change[1::2], strict=True):
                letters[at] = letter
        text = "".join(letters)
        found.append(text)
    assert found == texts

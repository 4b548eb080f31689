"""Boards as data, the clicks of moves, and the drawing of a board."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import games
from games.view import KINDS, Cell, Labels, View, Viewable, draw, marked, sprites

SVG = "{http://www.w3.org/2000/svg}"


def small(*held, style="cells", **more) -> View:
    cells = tuple(Cell(f"{number // 3},{number % 3}", one) for number, one in enumerate(held))
    return View(3, len(held) // 3, style, cells, Labels(tuple("abc"), tuple("12")[: len(held) // 3]), **more)


def test_every_game_says_how_it_looks_and_how_its_moves_are_clicked(any_game):
    state = any_game.start(3)
    assert isinstance(state, Viewable)
    names = {cell.name for cell in state.view().cells}
    for move in state.legal_moves:
        assert set(state.path(move)) <= names | {"pass"}


@pytest.mark.parametrize(
    ("name", "position", "move", "path"),
    [
        ("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", ("a7", "a8", "=Q")),
        ("microchess", "k3/3P/4/4/K3 w - - 0 1", "d4d5n", ("d4", "d5", "=N")),
        ("microchess", "knbr/p3/4/3P/R2K w Qk - 0 1", "d1b1", ("d1", "b1")),
        ("othello", "", "d3", ("d3",)),
        ("go:size=5", "", "pass", ("pass",)),
        ("gomoku:size=5", "", "0,4", ("0,4",)),
        ("mushroom:rows=1,columns=3", "12A A 0", "-1 -1 -1 -1", ("pass",)),
        ("mushroom:rows=2,columns=2", "12/34 A 0", "0 0 1 1", ("0,0", "1,1")),
    ],
)
def test_a_move_is_a_path_of_clicks(name, position, move, path):
    game = games.load(name)
    state = game.position(position) if position else game.start()
    assert state.path(state.parse(move)) == path


def test_cells_stand_row_by_row_from_the_top_left():
    view = games.load("microchess").start().view()
    assert [cell.name for cell in view.cells[:5]] == ["a5", "b5", "c5", "d5", "a4"]
    assert [cell.holds for cell in view.cells[:2]] == ["black king", "black knight"]
    assert view.labels == Labels(tuple("abcd"), tuple("54321"))


def test_a_king_in_check_is_marked():
    view = games.load("microchess").position("k2r/4/4/4/3K w - - 0 1").view()
    assert [cell.name for cell in view.cells if cell.mark] == ["d1"]
    assert 'class="check"' in draw(view)


def test_a_picture_shows_what_the_cells_hold():
    svg = draw(small("black stone", "7", "", "first", "second", "<b>&"))
    root = ET.fromstring(svg)
    things = root.find(f"{SVG}g[@class='things']")
    assert [use.get("href") for use in things.iter(f"{SVG}use")] == [
        "#arena-black-stone", "#arena-first", "#arena-second",
    ]  # fmt: skip
    assert [text.text for text in things.iter(f"{SVG}text")] == ["7", "<b>&"]
    labels = root.find(f"{SVG}g[@class='labels']")
    assert [text.text for text in labels] == ["a", "b", "c", "1", "2"]


@pytest.mark.parametrize("style", ["checkered", "lines", "cells"])
def test_the_cells_of_the_last_move_are_marked(style):
    view = small(*[""] * 6, style=style)
    assert draw(view, ("0,0", "1,1", "=Q")).count('class="last"') == 2
    assert draw(view, ("pass",)).count('class="last"') == 0
    assert draw(replace(view, areas=True), ("1,1", "0,0")).count('class="last"') == 4
    assert marked(view, ("1,2", "0,1")) == [1, 5]


def test_every_shape_a_picture_uses_is_in_it(any_game):
    svg = any_game.start().svg()
    assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(re.findall(r'id="([^"]+)"', svg))


def test_every_kind_has_a_shape_and_none_of_them_has_style_attributes():
    everything = draw(small(*KINDS, "", ""))
    assert "style=" not in everything
    assert len(re.findall(r'id="arena-', everything)) == len(KINDS)


def test_boards_on_one_page_can_share_their_shapes():
    view = games.load("chess").start().view()
    alone = draw(view)
    assert draw(view, with_sprites=False) == alone.replace(sprites(view) + "\n", "")
    assert 'id="arena-white-queen"' in sprites(replace(view, cells=tuple(Cell(cell.name) for cell in view.cells)))

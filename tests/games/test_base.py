"""Games by name, with their parameters."""

import sys
import types

import pytest

import games
from games.base import BLACK, WHITE, Ending, join_parameters, split_parameters
from games.errors import ArenaError, BadParameters, UnknownGame
from games.othello import Othello


def test_the_bundled_games_are_listed_without_their_helpers():
    assert {"chess", "microchess", "othello"} <= set(games.names())
    assert games.names() == sorted(games.names())
    assert not {"base", "contract", "encoding", "errors"} & set(games.names())
    assert not [name for name in games.names() if name.startswith("_")]


def test_every_game_is_loaded_by_its_name(any_game):
    assert games.load(any_game.name) == any_game
    assert any_game.name in games.names()


@pytest.mark.parametrize(
    ("name", "first", "parameters"),
    [("chess", WHITE, {"turns": 0}), ("microchess", WHITE, {"turns": 80}), ("othello", BLACK, {})],
)
def test_games_have_a_first_colour_and_parameters(name, first, parameters):
    game = games.load(name)
    assert (game.first, game.parameters, game.seconds) == (first, parameters, 400)


def test_parameters_reach_the_game():
    assert games.load("microchess:turns=12").parameters == {"turns": 12}


def test_games_with_the_same_parameters_are_equal():
    assert games.load("chess:turns=4") == games.load("chess:turns=4") != games.load("chess")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("checkers", "no game called 'checkers'; there are .*chess"),
        ("_board", "no game called"),
        ("base", "no game called"),
        ("no.such.module", "no game at 'no.such.module'"),
        ("games.errors", "no game at 'games.errors'"),
        ("othello:turns=5", "othello has no parameter 'turns'"),
        ("microchess:speed=5", "microchess has no parameter 'speed'"),
        ("microchess:turns=-1", "microchess: turns is a whole number"),
        ("chess:turns=all", "chess: turns is a whole number"),
    ],
)
def test_an_unknown_game_or_parameter_is_an_error_with_a_reason(text, words):
    with pytest.raises(UnknownGame, match=words):
        games.load(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [("chess:turns=1,,", "cannot read"), ("chess:turns=", "cannot read"), ("chess:turns=1,turns=2", "given twice")],
)
def test_invalid_parameter_text_is_refused(text, words):
    with pytest.raises(BadParameters, match=words):
        games.load(text)


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("go", "go", {}),
        ("go:size=9,komi=7.5", "go", {"size": 9, "komi": 7.5}),
        ("my.game:style=fast", "my.game", {"style": "fast"}),
        ('uci:/opt/engine:path="a b, c:d",level=3', "uci:/opt/engine", {"path": "a b, c:d", "level": 3}),
        ('x:digits="12"', "x", {"digits": "12"}),
    ],
)
def test_a_name_with_parameters_is_split_and_joined(text, name, parameters):
    assert split_parameters(text) == (name, parameters)
    assert split_parameters(join_parameters(name, parameters)) == (name, parameters)


def test_an_outside_game_is_loaded_by_its_dotted_path(monkeypatch):
    module = types.ModuleType("somebody.elses")
    module.game = Othello
    monkeypatch.setitem(sys.modules, "somebody", types.ModuleType("somebody"))
    monkeypatch.setitem(sys.modules, "somebody.elses", module)
    loaded = games.load("somebody.elses")
    assert loaded.name == "somebody.elses"  # whatever it calls itself: every process loads it by this name
    assert loaded.start().text == Othello().start().text


def test_an_ending_shares_one_point():
    assert [Ending(winner, "").points(WHITE) for winner in (WHITE, BLACK, None)] == [1, 0, 0.5]
    assert [Ending(winner, "").points(BLACK) for winner in (WHITE, BLACK, None)] == [0, 1, 0.5]


def test_every_error_of_games_is_an_arena_error():
    from games import contract, errors

    for error in [contract.ContractBroken, *(getattr(errors, name) for name in errors.__all__)]:
        assert issubclass(error, ArenaError)


def test_public_names_are_sorted_and_defined():
    from games import base, contract, errors

    for module in (games, base, contract, errors):
        assert all(hasattr(module, name) for name in module.__all__)
    for name in games.names():
        module = sys.modules[type(games.load(name)).__module__]
        assert module.__all__ == sorted(module.__all__)

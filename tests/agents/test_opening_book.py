"""Opening books: legal moves that no deeper search calls losing, played by the strong agents, offered to all."""

import random
import subprocess
import sys

import pytest

import games
from agents import opening_book
from agents.alphabeta.agent import AlphaBetaAgent
from agents.base import Limits
from agents.books.__main__ import check, positions_of, tree
from agents.books.make import LOSING, Effort, make
from agents.opening_book import BadBook, book, book_file, book_move, place_of
from agents.othello.strong_agent import OthelloAgent
from agents.self_learning.learned_alphabeta import LearnedAlphaBetaAgent
from games.base import BLACK, WHITE

GAMES = ["microchess", "othello"]
SMALL = {"microchess": Effort(short=50, deep=300, check=600), "othello": Effort(short=1, deep=3, check=3)}


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_book_is_legal_where_it_stands(game):
    states = list(positions_of(game))
    assert len(states) >= 100
    for state in states:
        found = book_move(state)
        assert found.move in state.legal_moves
        assert 0.35 <= found.value <= 1


@pytest.mark.parametrize(("game", "effort"), [("microchess", 30_000), ("othello", 9)])
def test_a_search_calls_no_move_of_a_book_losing(game, effort):
    assert all(value >= LOSING for _, _, value in check(game, effort=effort, most=25))


@pytest.mark.soak
@pytest.mark.parametrize(("game", "effort"), [("microchess", 2_000_000), ("othello", 16)])
def test_a_deep_search_calls_no_move_of_a_book_losing(game, effort):
    assert [row for row in check(game, effort=effort) if row[2] < LOSING] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_book_says_how_it_was_made_and_is_small(game):
    data = book_file(game).read_text()
    assert f"python -P -m agents.books make {game} --positions" in data
    assert "s of CPU time" in data
    assert len(data) < 50_000


@pytest.mark.parametrize("game", GAMES)
def test_a_book_knows_its_start_and_what_is_likely_after_it(game):
    state = games.load(game).start()
    for _ in range(4):
        state = state.forward(book_move(state).move)
    assert book_move(state) is not None


def test_the_eight_forms_of_a_board_of_othello_have_the_same_moves():
    start = games.load("othello").start()
    found = set()
    for move in start.legal_moves:
        after = start.forward(move)
        text = place_of(after).stored(str(book_move(after).move))
        assert place_of(after).played(text) == str(book_move(after).move)
        found.add((place_of(after).key, text))
    assert len(start.legal_moves) == 4
    assert len(found) == 1


def test_a_book_says_nothing_about_other_games_other_limits_and_unknown_positions():
    assert book_move(games.load("gomoku").start()) is None
    assert book_move(games.load("microchess:turns=20").start()) is None
    assert book_move(games.load("microchess").position("k3/4/4/4/2RK w - - 0 1")) is None

    class Other(type(games.load("othello").start())):
        """Another game."""

    Other.__module__ = "elsewhere"
    start = games.load("othello").start()
    assert book_move(Other(start.black, start.white, start.turn)) is None


AGENTS = [
    (AlphaBetaAgent, "microchess", {}), (AlphaBetaAgent, "othello", {}), (LearnedAlphaBetaAgent, "microchess", {}),
    (OthelloAgent, "othello", {}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "game", "options"), AGENTS)
def test_a_strong_agent_plays_from_the_book_unless_it_is_switched_off(kind, game, options):
    start = games.load(game).start()
    agent = kind("a", start.turn, **options)
    agent.reset()
    assert agent.act(start) == book_move(start).move
    assert (agent.report.nodes, agent.report.text) == (0, "book")
    assert agent.report.value == book_move(start).value
    other = kind("a", start.turn, book="no", seconds=0.01)
    other.reset()
    other.act(start)
    assert other.report.nodes > 0


@pytest.mark.parametrize("limit", [{"depth": 2}, {"nodes": 300}])
def test_an_agent_with_a_depth_or_nodes_searches_unless_the_book_is_switched_on(limit):
    start = games.load("microchess").start()
    searched, known = AlphaBetaAgent("a", WHITE, **limit), AlphaBetaAgent("b", WHITE, book="yes", **limit)
    searched.act(start)
    known.act(start)
    assert searched.report.nodes > 0
    assert known.report.text == "book"


def test_a_program_that_asks_for_a_search_gets_one():
    start = games.load("microchess").start()
    agent = AlphaBetaAgent("a", WHITE)
    agent.limits = Limits(depth=2)
    agent.act(start)
    assert agent.report.nodes > 0


def test_the_option_is_yes_or_no():
    with pytest.raises(ValueError, match="book must be one of yes, no, not 'maybe'"):
        OthelloAgent("a", BLACK, book="maybe")


@pytest.mark.parametrize("game", GAMES)
def test_a_small_book_is_made_in_the_same_way_each_time(game):
    made = [list(make(game, positions=6, effort=SMALL[game])) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0]
    assert all(len(entry.key.split("\t")) == 1 for entry in made[0])


def test_a_damaged_book_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(opening_book, "_FOLDER", tmp_path)
    book_file("microchess").write_text("no table here\n")
    book.cache_clear()
    with pytest.raises(BadBook, match=r"microchess\.txt"):
        book_move(games.load("microchess").start())
    book.cache_clear()


def test_the_tree_goes_from_the_move_of_the_book_to_the_replies_that_it_answers():
    start = games.load("microchess").start()
    lines = list(tree(start, turns=4))
    assert lines[0] == f"{book_move(start).move} {book_move(start).value:.3f}"
    after = start.forward(book_move(start).move)
    replies = [line.strip() for line in lines if line.startswith("  ") and not line.startswith("    ")]
    assert replies
    assert all(after.parse(reply) for reply in replies)


def test_the_command_shows_and_makes_books(tmp_path):
    def run(*words):
        command = [sys.executable, "-P", "-m", "agents.books", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run("show", "othello", "--turns", "2").stdout.startswith(f"othello: {len(book('othello'))} positions\n")
    refused = run("show", "chess")
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_any_agent_can_ask_the_book():
    rng, state = random.Random(1), games.load("microchess").start()
    turns = 0
    while (found := book_move(state)) is not None:
        state = state.forward(found.move)
        turns += 1
        if turns % 2:
            state = state.forward(rng.choice(list(state.legal_moves)))
    assert turns >= 1

"""The tables of microchess endings say what a full search finds, and `alphabeta` wins with them."""

import functools
import random
import subprocess
import sys

import pytest

import games
from agents.alphabeta.agent import AlphaBetaAgent
from agents.alphabeta.search import NativeAlphaBeta
from agents.core.engine import DECIDED, Limits
from agents.core.native import extension
from agents.endings import table
from agents.endings.table import BadTables, answer, packed, sure_answer, tables
from agents.self_learning.learned_alphabeta import LearnedAlphaBetaAgent
from games.base import BLACK, WHITE

WINS = {"win": 1, "draw": 0, "loss": -1}


def native():
    return extension("agents.endings._native")


def some_positions(number, *, seed):
    """Texts of positions drawn from all entries of the tables."""
    rng, size, found = random.Random(seed), len(tables()), []
    while len(found) < number:
        text = native().position(rng.randrange(size))
        if text is not None:
            found.append(text)
    return found


def with_turns_left(text, left):
    """The position with so many turns until the turn limit, which is 80 or 81."""
    black = " b " in text
    limit = 80 + (left + black) % 2
    return games.load(f"microchess:turns={limit}").position(f"{text[:-1]}{(limit - left - black) // 2 + 1}")


@functools.cache
def searcher(turn_limit):
    return NativeAlphaBeta.of(games.load(f"microchess:turns={turn_limit}").start(), exact=True)


def winner_by_search(state, left):
    """+1, 0 or -1 for the side to move, by a search of all turns that are left: it knows nothing of tables."""
    score = searcher(state.turn_limit).search(state, Limits(depth=left)).score
    assert score == 0 or abs(score) >= DECIDED - left
    return (score > 0) - (score < 0)


def check_by_search(text, further):
    """Compare an answer with searches of so many turns, and with a few turns more. No answer claims nothing."""
    found = answer(with_turns_left(text, 80))
    if found.result is None:
        assert sure_answer(with_turns_left(text, 50)) is None
        return
    for left in range(max(found.turns, 1), max(found.turns, 1) + further):
        assert winner_by_search(with_turns_left(text, left), left) == WINS[found.result], (text, left)


def test_answers_are_those_of_a_search_of_all_turns_that_are_left():
    checked = 0
    for text in some_positions(150, seed=1):
        if answer(with_turns_left(text, 80)).turns <= 5:
            check_by_search(text, 3)
            checked += 1
    assert checked > 100


def test_few_positions_have_no_answer():
    results = [answer(with_turns_left(text, 80)).result for text in some_positions(3000, seed=8)]
    assert 0 < results.count(None) < 30


@pytest.mark.soak
def test_answers_of_10000_positions_are_those_of_a_search():
    for text in some_positions(10_000, seed=2):
        check_by_search(text, 2)


def test_the_kernel_finds_the_entries_of_the_specification(states):
    found, looked_up = native().Tables(tables()), 0
    for text in some_positions(300, seed=3):
        state = with_turns_left(text, 9)
        known = sure_answer(state)
        expected = None if known is None else (("unknown", "loss", "draw", "win").index(known.result), known.turns)
        assert found.sure_answer(state.text, (), state.turn_limit) == expected, text
        looked_up += known is not None
    assert looked_up > 200
    for state in states("microchess", 300, seed=4):
        assert (found.sure_answer(state.text, (), 80) is None) == (sure_answer(state) is None)


def test_a_position_and_its_mirror_images_have_the_same_answer():
    game = games.load("microchess")
    texts = ("k3/4/1R2/4/3K w - - 0 1", "3k/4/2R1/4/K3 w - - 0 1", "k3/4/2r1/4/3K b - - 0 1", "3k/4/1r2/4/K3 b - - 0 1")
    assert len({answer(game.position(text)) for text in texts}) == 1


def test_who_is_ahead_wins_by_waiting():
    assert str(answer(with_turns_left("k3/4/4/4/2RK w - - 0 1", 80))) == "win"
    assert answer(with_turns_left("k3/4/4/4/2RK b - - 0 1", 80)).result == "loss"


class TestAnAnswerHolds:
    """A won ending of queen against queen: the win needs some turns."""

    def text(self):
        rng = random.Random(5)
        while True:
            squares = rng.sample(range(20), 4)
            cells = ["."] * 20
            for piece, square in zip("KQkq", squares, strict=True):
                cells[square] = piece
            rows = ["".join(cells[row : row + 4]) for row in range(0, 20, 4)]
            board = "/".join(rows)
            for empty in range(4, 0, -1):
                board = board.replace("." * empty, str(empty))
            try:
                found = answer(games.load("microchess").position(f"{board} w - - 0 1"))
            except games.errors.BadPosition:
                continue
            if found is not None and found.result == "win" and found.turns >= 5:
                return f"{board} w - - 0 1", found.turns

    def test_if_enough_turns_are_left(self):
        text, turns = self.text()
        assert sure_answer(with_turns_left(text, turns)) == ("win", turns)
        assert sure_answer(with_turns_left(text, turns - 1)) is None

    def test_if_fifty_turns_without_capture_do_not_come_first(self):
        text, turns = self.text()
        game = games.load("microchess:turns=0")
        assert sure_answer(game.position(text.replace("0 1", f"{50 - turns} 40"))) == ("win", turns)
        assert sure_answer(game.position(text.replace("0 1", f"{51 - turns} 40"))) is None

    def test_if_no_position_has_occurred_four_times(self):
        state = games.load("microchess:turns=0").position("k2q/4/4/4/K2Q w - - 0 1")
        for turn in range(12):
            assert (sure_answer(state) is None) == (answer(state).result is None or state.ending is not None), turn
            move = ("d1c1", "d5c5", "c1d1", "c5d5")[turn % 4]
            state = state.forward(state.parse(move))
        kernel = native().Tables(tables())
        start = "k2q/4/4/4/K2Q w - - 0 1"
        assert answer(state).turns > 0
        assert sure_answer(state) is None
        assert kernel.sure_answer(start, tuple(map(str, state.move_stack)), 0) is None

    def test_only_without_castling_rights(self):
        game = games.load("microchess")
        assert answer(game.position("1k2/4/4/4/R2K w Q - 0 1")) is None
        assert answer(game.position("1k2/4/4/4/R2K w - - 0 1")) is not None


def hardest(state):
    """The move of a side that is lost after which the win needs most turns."""

    def turns(move):
        after = state.forward(move)
        found = None if after.ending else answer(after)
        return -1 if found is None else found.turns if found.result == "win" else 100

    return max(state.legal_moves, key=turns)


def plays_out(agent, state, opponent):
    """The points of the side to move in this state."""
    color = state.turn
    while state.ending is None:
        mover = agent if state.turn == color else opponent
        state = state.forward(mover.act(state) if mover is not None else hardest(state))
    return state.ending.points(color)


def wins_what_is_won(games_, *, seed, nodes):
    """Play won entries with just as many turns left as they need, and with more."""
    rng, played = random.Random(seed), 0
    while played < games_:
        (text,) = some_positions(1, seed=rng.getrandbits(32))
        found = answer(with_turns_left(text, 80))
        # Half of the games from wins that must be forced: most others are won by waiting.
        if found.result != "win" or (played % 2 and found.turns < 3):
            continue
        state = with_turns_left(text, rng.choice((max(found.turns, 1), found.turns + rng.randrange(1, 30), 70)))
        agent = AlphaBetaAgent("a", state.turn, nodes=nodes)
        opponent = AlphaBetaAgent("b", not state.turn, nodes=nodes) if rng.random() < 0.5 else None
        agent.rng.seed(played)
        assert plays_out(agent, state, opponent) == 1, (text, state.turn_limit)
        played += 1


def test_alphabeta_wins_what_is_won():
    wins_what_is_won(16, seed=6, nodes=300)


@pytest.mark.soak
def test_alphabeta_never_loses_a_won_position_in_1000_games():
    wins_what_is_won(1000, seed=7, nodes=3000)


@pytest.mark.parametrize("kind", [AlphaBetaAgent, LearnedAlphaBetaAgent])
def test_a_search_sees_a_won_ending_beyond_its_depth(kind):
    state = games.load("microchess").position("4/K3/2b1/k1r1/1NR1 w - - 0 1")
    known, blind = (kind("a", WHITE, depth=3, endings=endings) for endings in ("yes", "no"))
    for agent in (known, blind):
        agent.act(state)
    assert known.report.score > DECIDED - 1000 > blind.report.score


def test_the_report_says_what_the_tables_know():
    state = games.load("microchess").position("k3/4/4/4/2RK w - - 0 1")
    for endings, said in (("yes", "table: win"), ("no", "")):
        agent = AlphaBetaAgent("a", WHITE, nodes=200, endings=endings)
        agent.act(state)
        assert agent.report.text == said
        assert str(agent.report).endswith(said)


def test_the_option_is_yes_or_no():
    with pytest.raises(ValueError, match="endings must be one of yes, no, not 'maybe'"):
        AlphaBetaAgent("a", BLACK, endings="maybe")


def test_a_damaged_file_is_named(tmp_path, monkeypatch):
    for data in (b"nothing", packed(b"short")):
        path = tmp_path / "bad.xz"
        path.write_bytes(data)
        monkeypatch.setattr(table, "FILE", path)
        with pytest.raises(BadTables, match=r"bad\.xz"):
            tables()
        table._read.cache_clear()


@pytest.mark.parametrize("tables_", [b"", b"x" * 100])
def test_searches_refuse_other_bytes(tables_):
    searcher = extension("agents.core._core").Searcher("microchess")
    with pytest.raises(ValueError, match="not tables of endings"):
        searcher.use_endings(tables_)
    with pytest.raises(ValueError, match="not the tables"):
        native().Tables(tables_)


def run(*words):
    command = [sys.executable, "-P", "-m", "agents.endings", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_shows_a_position_and_its_moves():
    shown = run("show", "k3/4/4/4/2RK w - - 0 1").stdout.splitlines()
    assert shown[0] == "k3/4/4/4/2RK w - - 0 1: win"
    assert "  c1c4: for the other side: loss" in shown
    refused = run("show", "no position")
    assert refused.returncode == 2
    assert refused.stderr.startswith("Error: ")
    assert "Traceback" not in refused.stderr


def test_the_shipped_file_is_what_the_command_builds(tmp_path):
    built = run("build", "--out", str(tmp_path / "made.xz"))
    assert built.stdout.startswith("3,267,000 entries in ")
    assert table._read(tmp_path / "made.xz") == tables()

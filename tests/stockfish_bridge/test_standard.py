"""The back-end `standard` with a scripted engine."""

import re

import pytest

from agents.seat import Ended, Fault, Late, Times
from games.base import BLACK
from stockfish_bridge.stockfish import Stockfish

FAR = float("inf")
START = "8/8/8/knbr4/p7/8/3P4/RBNK4 w - - 0 1"
#: Castling and about eleven ordinary moves.
CASTLES = "k2r/p3/4/3P/R2K w Qk - 0 1"
#: Promotions only.
ALL_SPECIAL = "2K1/P1b1/2k1/4/4 w - - 0 1"
#: After a4a2 White can only promote.
ALL_SPECIAL_CHILD = "r3/p2P/2kP/1pr1/3K b - - 0 1"


def searched(go: str) -> list[str]:
    return go.partition("searchmoves ")[2].split()


def scoring(root, child):
    """A search with these scores for the root and for all children; its best move is the first one."""

    def search(position, go):
        return [f"info depth 1 score {root if is_root(position) else child}", f"bestmove {searched(go)[0]}"]

    seen: list[str] = []

    def is_root(position: str) -> bool:
        seen.append(position)
        return position == seen[0]

    return search


@pytest.fixture
def played(microchess, scripted, history, times):
    """The move in a position, and the searches as (position, go)."""

    def play(search, *moves, start=None, **options):
        channel = scripted(search)
        protocol = Stockfish(microchess, {"backend": "standard"} | (options or {"nodes": 1000}))
        answer = protocol.ask(channel, history(microchess, *moves, start=start), times, FAR)
        sent = [line.partition(" ")[2] for line in channel.sent if line != "isready"]
        assert channel.sent.count("isready") == len(sent) // 2
        return answer, list(zip(sent[::2], sent[1::2], strict=True))

    return play


def first(position, go):
    return ["info score cp 0", f"bestmove {searched(go)[0]}"]


def test_ordinary_moves_are_searched_together_on_the_padded_board(played, microchess):
    answer, searches = played(first)
    ordinary = [str(move) for move in microchess.start().legal_moves]
    assert searches == [(f"fen {START}", f"nodes 1000 searchmoves {' '.join(ordinary)}")]
    assert answer == ordinary[0]


def test_the_moves_since_the_start_are_sent(played):
    _, searches = played(first, "d2d3", "b5a3")
    assert searches[0][0] == f"fen {START} moves d2d3 b5a3"


def test_the_moves_since_the_last_special_move_are_sent(played, microchess):
    _, searches = played(first, "d2d3", "a4a2", "a1a2", "b5a3")
    base, _, moves = searches[0][0].partition(" moves ")
    assert base == "fen 8/8/8/knbr4/8/3P4/p7/RBNK4 w - - 0 2"
    assert moves == "a1a2 b5a3"


def test_castling_letters_are_never_sent(played):
    _, searches = played(first, start=CASTLES)
    assert all(re.match(r"fen \S+ [wb] - - ", position) for position, _ in searches)


@pytest.mark.parametrize(
    ("start", "special"),
    [
        (CASTLES, {"d1b1"}),
        (CASTLES.replace(" w ", " b "), {"a5c5", "a4a2"}),
        ("k3/2P1/4/4/K3 w - - 0 1", {"c4c5n", "c4c5b", "c4c5r", "c4c5q"}),
        ("k3/p3/4/P3/3K b - - 0 1", set()),
        ("3k/p3/4/4/3K b - - 0 1", {"a4a2"}),
        ("3k/4/4/p3/3K b - - 0 1", set()),
    ],
)
def test_special_moves_are_those_that_are_illegal_on_64_squares(played, microchess, start, special):
    _, searches = played(first, start=start)
    legal = {str(move) for move in microchess.position(start).legal_moves}
    assert legal - set(searched(searches[0][1])) == special
    assert len(searches) <= 1 + len(special)


def test_a_special_move_is_played_when_its_child_is_worse_for_the_opponent(played):
    answer, searches = played(scoring("cp 30", "cp -31"), start=CASTLES)
    assert answer == "d1b1"
    assert searches[1][0] == "fen 8/8/8/k2r4/p7/8/3P4/1KR5 b - - 1 1"


def test_an_ordinary_move_is_played_on_a_tie(played):
    answer, searches = played(scoring("cp 30", "cp -30"), start=CASTLES)
    assert answer == searched(searches[0][1])[0]


def test_a_nearer_mate_is_preferred(played):
    assert played(scoring("mate 3", "mate -2"), start=CASTLES)[0] == "d1b1"
    assert played(scoring("mate 2", "mate -3"), start=CASTLES)[0] != "d1b1"
    assert played(scoring("mate -2", "mate 4"), start=CASTLES)[0] == "d1b1"


def test_children_are_limited_to_legal_moves_too(played, microchess):
    _, searches = played(first, start=CASTLES)
    child = microchess.position(CASTLES)
    child = child.forward(child.parse("d1b1"))
    legal = {str(move) for move in child.legal_moves}
    assert set(searched(searches[1][1])) == legal - {"a4a2"}


def test_a_child_that_ends_the_game_is_judged_by_the_rules(played):
    # Promotions to queen and rook are mate: no search is needed.
    answer, searches = played(scoring("mate 2", "cp 0"), start="k3/2P1/K2p/4/4 w - - 0 1")
    assert answer in {"c4c5q", "c4c5r"}
    assert len(searches) == 3


@pytest.mark.parametrize(
    ("start", "score", "is_special"),
    [
        ("3k/p3/4/4/R2K b - - 0 40", "cp -900", False),
        ("3k/p3/4/4/3K b - - 0 40", "cp 900", True),
        ("3k/p3/4/3P/3K b - - 0 40", "cp -1", True),
        ("3k/p3/4/3P/3K b - - 0 40", "cp 1", False),
    ],
)
def test_on_the_last_turn_material_decides_about_a_special_move(played, start, score, is_special):
    answer, searches = played(scoring(score, "cp 0"), start=start)
    assert (answer == "a4a2") is is_special
    assert len(searches) == 1


def test_where_all_moves_are_special_the_best_child_decides(played):
    def search(position, go):
        score = -500 if "/1Q" in position or "Q" in position.split()[1] else 100
        return [f"info score cp {score}", f"bestmove {searched(go)[0]}"]

    answer, searches = played(search, start=ALL_SPECIAL)
    assert answer == "a4a5q"
    assert len(searches) == 4
    assert [go.split()[1] for _, go in searches] == ["250"] * 4


def test_a_child_whose_moves_are_all_special_is_judged_through_them(played):
    answer, searches = played(scoring("cp 0", "cp 900"), start=ALL_SPECIAL_CHILD)
    # A good score for Black two turns later is a good score now.
    assert answer == "a4a2"
    assert all(searched(go) for _, go in searches)


def test_no_search_is_ever_unlimited(played, microchess, walk):
    for seed in range(12):
        for state in walk(microchess, seed):
            if len(state.legal_moves) > 1:
                _, searches = played(first, start=state.text)
                assert all(searched(go) for _, go in searches)


def test_the_shares_add_up_to_the_limit(played, microchess, walk):
    shared = 0
    for seed in range(12):
        for state in walk(microchess, seed):
            if len(state.legal_moves) > 1:
                _, searches = played(first, start=state.text)
                nodes = [int(go.split()[1]) for _, go in searches]
                assert sum(nodes) <= 1000 + len(nodes)
                assert nodes[0] >= 500 or not searches[0][0].startswith(f"fen {state.fen().split()[0]}")
                shared += len(nodes) > 1
    assert shared > 20


def test_other_limits_are_shared_too(played, microchess):
    ordinary = len(microchess.position(CASTLES).legal_moves) - 1
    part = ordinary / (ordinary + 1)

    def words(**limit):
        return [go.partition(" searchmoves")[0] for _, go in played(first, start=CASTLES, **limit)[1]]

    assert words(seconds=1) == [f"movetime {int(1000 * part)}", f"movetime {int(1000 * (1 - part))}"]
    assert words(depth=4) == ["depth 4", "depth 4"]
    # In the child the other side is to move, but with our time.
    own = [int(100_000 * part), int(100_000 * (1 - part))]
    assert words(clock="yes") == [f"wtime {own[0]} btime 90000", f"wtime 90000 btime {own[1]}"]


def test_all_searches_together_fit_into_the_remaining_time(microchess, scripted, history):
    channel = scripted(first)
    short = Times(own=1.05, opponent=9.0, opponent_last_move=0.0)
    protocol = Stockfish(microchess, {"backend": "standard", "seconds": 30})
    protocol.ask(channel, history(microchess, start=CASTLES), short, FAR)
    sent = [int(line.split()[2]) for line in channel.sent if line.startswith("go movetime")]
    assert len(sent) == 2
    assert 990 <= sum(sent) <= 1000


def test_the_last_exact_score_counts(played):
    def search(position, go):
        score = "50" if " b " not in position else "-60"
        lines = [f"info score cp {score}", "info score cp 9999 upperbound", "info multipv 2 score cp -9999"]
        return [*lines, "info string score cp -9999", f"bestmove {searched(go)[0]}"]

    assert played(search, start=CASTLES)[0] == "d1b1"


def test_without_a_score_material_is_counted(played):
    def silent(position, go):
        return [f"bestmove {searched(go)[0]}"]

    # Material is even, so castling is not better than another move. A promotion is.
    assert played(silent, start=CASTLES)[0] != "d1b1"
    assert played(silent, start="3k/P2p/4/4/2K1 w - - 0 1")[0] == "a4a5q"


@pytest.mark.parametrize("answer", ["(none)", "0000", "", "d1b1", "a1h8", "x" * 5000])
def test_a_move_outside_of_searchmoves_is_an_illegal_move(played, answer):
    with pytest.raises(Fault, match="which is not one of the moves in searchmoves") as caught:
        played(lambda position, go: [f"bestmove {answer}"], start=CASTLES)
    assert caught.value.rule == "illegal-move"
    assert len(caught.value.detail) < 200


def test_the_only_move_is_played_without_asking(microchess, scripted, history, times):
    forced = history(microchess, start="3k/4/4/1r2/K3 w - - 0 1")
    channel = scripted(first)
    answer = Stockfish(microchess, {"backend": "standard"}).ask(channel, forced, times, FAR)
    assert (answer, channel.sent) == ("a1b2", [])


def test_a_silent_engine_is_late_and_a_dead_engine_has_ended(played):
    with pytest.raises(Late):
        played(lambda position, go: [])
    with pytest.raises(Ended):
        played(lambda position, go: [Ended("gone")])


def test_another_game_starts_from_its_own_position(microchess, scripted, history, times):
    channel = scripted(first)
    protocol = Stockfish(microchess, {"backend": "standard"})
    protocol.ask(channel, history(microchess, "d2d3", "b5a3"), times, FAR)
    protocol.begin(channel, BLACK, start=microchess.start().text, seed=2, deadline=FAR)
    protocol.ask(channel, history(microchess, "d2d4"), times, FAR)
    protocol.ask(channel, history(microchess, "c1a2", "b5a3"), times, FAR)  # not a continuation
    positions = [line.partition(" moves ")[2] for line in channel.sent if line.startswith("position")]
    assert positions[0] == "d2d3 b5a3"
    assert positions[1] == "d2d4"
    assert positions[-1] == "c1a2 b5a3"

"""Games of Go and Gomoku as SGF and back."""

import random

import pytest

import games
from games.base import Margin
from results.errors import NotationError
from results.notation import sgf
from results.record import FaultRecord, MoveRecord

CORNER = "XO.../X..../...../...../..... O 0"
CORNERED = "XX.../.O.../...../...../....."


def played(state, *, seed, turns=400):
    """A random game from here: its moves and where it ended."""
    rng, moves = random.Random(seed), []
    while not state.is_game_over() and len(moves) < turns:
        move = rng.choice(list(state.legal_moves))
        moves.append(MoveRecord(str(move), 0.5))
        state = state.forward(move)
    return tuple(moves), state


def result_of(game, state):
    return {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[state.adjudicate().points(game.first)]


@pytest.fixture
def make(make_record):
    """A record of a game with these moves, from its own start or another one."""

    def build(text="go:size=5", moves=(), *, start=None, **fields):
        game = games.load(text)
        state = game.start() if start is None else game.position(start)
        made = tuple(move if isinstance(move, MoveRecord) else MoveRecord(move) for move in moves)
        return make_record(
            game=game.name, parameters=dict(game.parameters), start=state.text, moves=made,
            **({"reason": "passes"} | fields),
        )  # fmt: skip

    return build


@pytest.fixture
def roundtrip(make):
    """Play at random, write it, read it back."""

    def check(text, *, seed, start=None):
        game = games.load(text)
        moves, end = played(game.start() if start is None else game.position(start), seed=seed)
        ending = end.adjudicate()
        record = make(text, moves, start=start, result=result_of(game, end), reason=ending.reason, margin=ending.margin)
        (read,) = sgf.read(sgf.write(record))
        assert (read.game.name, read.game.parameters) == (game.name, game.parameters)
        assert (read.start, read.result) == (record.start, record.result)
        assert read.moves == tuple(move.text for move in moves)
        assert (read.state.text, read.state.ending) == (end.text, end.ending)
        return read

    return check


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "game", ["go:size=5", "go:size=9,komi=7.5", "go:size=19,turns=300", "go:size=2,komi=0,suicide=yes"]
)
def test_games_of_go_come_back_with_their_endings(roundtrip, game, seed):
    roundtrip(game, seed=seed)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", ["gomoku", "gomoku:size=20", "gomoku:size=5"])
def test_games_of_gomoku_come_back_with_their_endings(roundtrip, game, seed):
    roundtrip(game, seed=seed)


@pytest.mark.parametrize(
    "start", [CORNER, CORNER.replace("O 0", "X 0"), CORNERED + " X 1", "/".join(["....."] * 5) + " O 0"]
)
def test_a_game_from_a_position_of_go_comes_back(roundtrip, start):
    for seed in range(5):
        roundtrip("go:size=5", seed=seed, start=start)


@pytest.mark.parametrize("side", ["X", "O"])
def test_a_game_from_a_position_of_gomoku_comes_back(roundtrip, side):
    roundtrip("gomoku:size=5", seed=1, start=f"{CORNERED} {side}")


def test_the_turn_limit_of_a_game_is_applied_when_it_is_read(roundtrip):
    read = roundtrip("go:size=5,turns=7", seed=3)
    assert read.headers["XL"] == "7"
    assert read.state.ending.reason == "turn-limit"


def test_the_text_of_a_whole_game(make):
    margin = Margin(9, 16, "points")
    record = make(moves=["B4", "D2", "pass", "pass"], result="0-1", detail=str(margin), margin=margin)
    assert sgf.write(record) == (
        "(;FF[4]\nCA[UTF-8]\nAP[arena:0.1.0]\nGM[1]\nSZ[5]\nRU[Chinese]\nEV[spring]\nRO[1:1-2]\nPC[box]\n"
        "PB[ada]\nPW[bob]\nDT[2026-05-09]\nTM[400]\nRE[W+7]\nGC[reason: passes\ndetail: points 9-16]\nKM[7]\n"
        ";B[bb];W[dd];B[];W[]\n)\n"
    )


def test_the_rule_set_says_whether_suicide_is_legal(make):
    (read,) = sgf.read(sgf.write(make("go:size=5,suicide=yes")))
    assert (read.headers["RU"], read.game.parameters["suicide"]) == ("Tromp-Taylor", "yes")
    assert sgf.read("(;SZ[5]RU[NZ])")[0].game.parameters["suicide"] == "yes"
    assert sgf.read("(;SZ[5]RU[Japanese])")[0].game.parameters["suicide"] == "no"


def test_a_start_is_set_up_stone_by_stone(make):
    text = sgf.write(make(start=CORNER))
    assert "\nAB[aa][ab]\nAW[ba]\nPL[W]\n" in text
    assert "XP" not in text
    assert "\nXP[1]\n" in sgf.write(make(start=CORNERED + " O 1"))


def test_points_are_counted_from_the_top_left(make):
    assert ";B[ia];W[ai]" in sgf.write(make("go:size=9", ["J9", "A1"]))
    assert ";B[ka];W[ak]" in sgf.write(make("gomoku", ["10,0", "0,10"]))


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"result": "1-0", "margin": Margin(16, 9.5, "points")}, "B+6.5"),
        ({"result": "0-1", "margin": Margin(16, 16.5, "points")}, "W+0.5"),
        ({"result": "0-1", "margin": Margin(9, 14, "points")}, "W+5"),
        ({"result": "1/2-1/2", "margin": Margin(16, 16, "points")}, "0"),
        ({"result": "1-0", "reason": "turn-limit", "margin": Margin(25, 7, "points")}, "B+18"),
        ({"result": "1-0", "reason": "adjudication", "detail": "as the organiser saw it"}, "B+"),
        ({"result": "1-0", "reason": "fault", "fault": FaultRecord("second", "time", "", {})}, "B+T"),
        ({"result": "0-1", "reason": "fault", "fault": FaultRecord("first", "illegal-move", "", {})}, "W+F"),
    ],
)
def test_the_result_property_follows_the_ending(make, fields, outcome):
    (read,) = sgf.read(sgf.write(make(**fields)))
    assert read.headers["RE"] == outcome
    assert read.result == fields["result"]


def test_the_comment_holds_reason_detail_and_fault(make):
    fault = FaultRecord("second", "memory", "too much", {})
    (read,) = sgf.read(sgf.write(make(reason="fault", fault=fault), excluded="over]loaded"))
    assert read.headers["GC"].split("\n") == ["reason: fault", "fault: second memory", "excluded: over]loaded"]


@pytest.mark.parametrize("name", ["x]RE[W+R];W[aa](;", "\\", "a\\]", "[[", "()", ";B[aa]", "a:b", "ü\u3042", "]" * 150])
def test_a_hostile_name_cannot_add_a_property(make, name):
    record = make(first=name, league=name, host=name, versions={"arena": name}, moves=["B4"])
    (read,) = sgf.read(sgf.write(record, excluded=name))
    assert (read.headers["PB"], read.headers["EV"], read.headers["AP"]) == (name, name, f"arena:{name}")
    assert (read.result, read.moves) == ("1-0", ("B4",))


def test_control_characters_in_names_are_not_written(make):
    text = sgf.write(make(first="a\nb\x1b[2J\u202e"))
    assert (read := sgf.read(text)[0]).headers["PB"] == r"a\x0ab\x1b[2J\u202e"
    assert "\x1b" not in text
    assert read.result == "1-0"


def test_several_games_in_one_text(make):
    records = [make(), make("gomoku", ["3,4"]), make(start=CORNER)]
    read = sgf.read("\n".join(map(sgf.write, records)))
    assert [game.start for game in read] == [record.start for record in records]
    assert sgf.read("\n") == []


def test_a_game_without_sgf_is_refused(make_record):
    with pytest.raises(NotationError, match=r"^only go and gomoku have SGF, not othello; use another format$"):
        sgf.write(make_record(game="othello"))


def test_games_of_other_programs_are_read_along_their_main_line():
    text = r"""(;GM[1]FF[4]SZ[5]HA[2]AB[bb:cc][ee]KM[0.5]RE[Draw]C[a \] b\
c];W[aa](;B[dd]N[main];W[tt])(;B[de];W[ed](;B[ab])(;B[ba]))) """
    (read,) = sgf.read(text)
    assert read.start == "...../.XX../.XX../...../....X O 0"
    assert read.moves == ("A5", "D2", "pass")
    assert read.headers["C"] == "a ] bc"
    assert (read.result, read.game.parameters["komi"]) == ("1/2-1/2", 0.5)


def test_missing_properties_have_the_defaults_of_sgf():
    (read,) = sgf.read("(;)")
    assert (read.game.name, read.game.parameters) == ("go", {"size": 19, "komi": 0, "turns": 0, "suicide": "no"})
    assert (read.moves, read.result) == ((), "*")

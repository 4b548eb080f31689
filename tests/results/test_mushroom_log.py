"""Games of Mushroom as the official log and back."""

import random

import pytest

import games
from results.errors import NotationError
from results.notation import mushroom_log
from results.record import FaultRecord, MoveRecord

SMALL = "mushroom:rows=2,columns=4"
BOARD = "5519/1191 A 0"
PASS = "-1 -1 -1 -1"


def played(state, *, seed):
    rng, moves = random.Random(seed), []
    while not state.is_game_over():
        move = rng.choice(list(state.legal_moves))
        moves.append(MoveRecord(str(move), rng.randrange(1000) / 1000))
        state = state.forward(move)
    return tuple(moves), state


@pytest.fixture
def make(make_record):
    """A record of Mushroom on a small board with these moves, each of a quarter of a second."""

    def build(*moves, game=SMALL, start=BOARD, **fields):
        made = tuple(move if isinstance(move, MoveRecord) else MoveRecord(move, 0.25) for move in moves)
        return make_record(
            game="mushroom", parameters=dict(games.load(game).parameters), start=start, moves=made,
            **({"reason": "passes"} | fields),
        )  # fmt: skip

    return build


@pytest.mark.parametrize("game", ["mushroom", SMALL, "mushroom:rows=1,columns=1", "mushroom:rows=30,columns=30"])
@pytest.mark.parametrize("seed", range(3))
def test_random_games_are_read_back_with_their_scores(make, game, seed):
    rules = games.load(game)
    start = rules.start(seed)
    moves, end = played(start, seed=seed)
    result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[end.ending.points(rules.first)]
    (read,) = mushroom_log.read(mushroom_log.write(make(*moves, game=game, start=start.text, result=result)))
    assert (read.start, read.moves) == (start.text, tuple(move.text for move in moves))
    assert read.milliseconds == tuple(round(move.wall * 1000) for move in moves)
    assert (read.result, read.abort) == (result, "")
    assert (read.state.text, read.state.ending) == (end.text, end.ending)


def test_the_text_of_a_whole_log(make):
    assert mushroom_log.write(make("0 0 0 1", "0 2 0 3", PASS, PASS)) == (
        "INIT 5519 1191\nFIRST 0 0 0 1 250\nSECOND 0 2 0 3 250\nFIRST -1 -1 -1 -1 250\nSECOND -1 -1 -1 -1 250\n"
        "FINISH\nSCOREFIRST 2\nSCORESECOND 2\n"
    )


def test_a_game_that_was_stopped_keeps_its_result(make):
    (read,) = mushroom_log.read(mushroom_log.write(make("0 0 0 1", reason="adjudication", result="1-0")))
    assert read.result == "1-0"
    assert read.state.ending is None


@pytest.mark.parametrize(
    ("rule", "answer", "reason"),
    [
        ("time", None, "TLE"),
        ("startup", None, "TLE"),
        ("illegal-move", "hello", "Parse failed"),
        ("illegal-move", "0 0 0", "Parse failed"),
        ("illegal-move", "0 0 0 1 ", "Parse failed"),
        ("illegal-move", "0 2 0 4", "Out of range"),
        ("illegal-move", "0 0 2 0", "Out of range"),
        ("illegal-move", "-1 0 0 0", "Out of range"),
        ("illegal-move", "0 1 0 0", "Out of range"),
        ("illegal-move", "0 1 0 2", "Sum not equals to 10"),
        ("illegal-move", "0 0 0 1", "Sum not equals to 10"),  # already taken
        ("illegal-move", "0 1 0 3", "Not fit"),  # its left side is empty
        ("illegal-move", None, "Parse failed"),
        ("exception", "0 2 0 4", "Parse failed"),
        ("exit", None, "Parse failed"),
        ("memory", None, "Parse failed"),
        ("a rule of tomorrow", None, "Parse failed"),
    ],
)
@pytest.mark.parametrize("player", ["first", "second"])
def test_a_fault_is_an_abort_with_the_official_reason(make, player, rule, answer, reason):
    result = "0-1" if player == "first" else "1-0"
    fault = FaultRecord(player, rule, "'0 2 0 4': the detail is not read", {} if answer is None else {"answer": answer})
    text = mushroom_log.write(make("0 0 0 1", reason="fault", fault=fault, result=result))
    assert text.splitlines()[2:] == [f"ABORT {0 if player == 'first' else 1} {reason}"]
    (read,) = mushroom_log.read(text)
    assert (read.result, read.abort) == (result, reason)


def test_every_illegal_answer_has_an_official_reason(make):
    state = games.load(SMALL).position(BOARD)
    reasons = set()
    for numbers in ((a, b, c, d) for a in range(3) for b in range(5) for c in range(3) for d in range(5)):
        answer = " ".join(map(str, numbers))
        if answer not in state.legal_moves:
            fault = FaultRecord("first", "illegal-move", "no", {"answer": answer})
            reasons.add(mushroom_log.write(make(fault=fault)).splitlines()[-1].removeprefix("ABORT 0 "))
    assert reasons == {"Out of range", "Sum not equals to 10"}  # no digit is 0 yet, so all that sums to 10 fits


def test_an_excluded_game_starts_with_a_comment(make):
    text = mushroom_log.write(make("0 0 0 1"), excluded="over\nINIT 1 2")
    assert text.startswith("# excluded: over\\x0aINIT 1 2\nINIT 5519 1191\n")
    assert mushroom_log.read(text)[0].moves == ("0 0 0 1",)


def test_names_are_not_in_the_log(make):
    name = "x\nABORT 0 TLE"
    record = make(PASS, PASS, first=name, league=name, host=name, detail=name)
    assert mushroom_log.write(record) == mushroom_log.write(make(PASS, PASS))


def test_several_games_in_one_text(make):
    records = [make("0 0 0 1"), make(), make(PASS, PASS, result="1/2-1/2")]
    for between in ("", "\n", "# a comment\r\n"):
        read = mushroom_log.read(between.join(map(mushroom_log.write, records)))
        assert [log.moves for log in read] == [("0 0 0 1",), (), (PASS, PASS)]
    assert mushroom_log.read("\n# nothing\n") == []


def test_an_unfinished_log_has_no_result():
    (read,) = mushroom_log.read("INIT 55\nFIRST 0 0 0 1 12")
    assert (read.result, read.moves) == ("*", ("0 0 0 1",))


@pytest.mark.parametrize("start", ["AA19/1191 A 0", "5519/1191 B 0", "5519/1191 A 1"])
def test_a_start_that_a_log_cannot_express_is_refused(make, start):
    with pytest.raises(NotationError, match=r"^a log cannot start with .*; use another format$"):
        mushroom_log.write(make(start=start))


def test_a_game_without_logs_is_refused(make_record):
    with pytest.raises(NotationError, match=r"^only mushroom has logs, not microchess; use another format$"):
        mushroom_log.write(make_record())

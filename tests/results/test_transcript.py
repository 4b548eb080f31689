"""Games of Othello as transcripts and back."""

import random

import pytest

import games
from results.errors import NotationError
from results.notation import transcript
from results.record import FaultRecord, MoveRecord

OTHELLO = games.load("othello")
START = OTHELLO.start().text
#: White is on the edge and cannot move; Black can.
STUCK = "XXXXXXO-" + "-" * 56 + " O"


def played(state, *, seed):
    rng, moves = random.Random(seed), []
    while not state.is_game_over():
        move = rng.choice(list(state.legal_moves))
        moves.append(str(move))
        state = state.forward(move)
    return moves, state


@pytest.fixture
def make(make_record):
    """A record of Othello with these moves."""

    def build(*moves, **fields):
        values = {"start": START, "reason": "discs"} | fields
        return make_record(
            game="othello", parameters={}, moves=tuple(MoveRecord(move, 0.5) for move in moves), **values
        )

    return build


def test_random_games_come_back_with_their_passes(make):
    passes = 0
    for seed in range(40):
        moves, end = played(OTHELLO.start(), seed=seed)
        result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[end.ending.points(OTHELLO.first)]
        text = transcript.write(make(*moves, result=result, detail=end.ending.detail))
        (read,) = transcript.read(text)
        assert (read.start, read.moves, read.result) == (START, tuple(moves), result)
        assert (read.state.text, read.state.ending) == (end.text, end.ending)
        bare = text.splitlines()[-1]
        assert bare == "".join("--" if move == "pass" else move for move in moves)
        for other in (
            bare,
            bare.upper(),
            bare.replace("--", ""),
            " ".join(bare[at : at + 2] for at in range(0, len(bare), 2)),
        ):
            assert transcript.read(other)[0].moves == tuple(moves)
            assert transcript.read(other)[0].result == result
        passes += moves.count("pass")
    assert passes > 10


def test_the_text_of_a_whole_transcript(make):
    fault = FaultRecord("second", "time", "401 s", {})
    assert transcript.write(make("f5", "d6", "c3", reason="fault", fault=fault), excluded="overloaded") == (
        '[Event "spring"]\n[Site "box"]\n[Date "2026.05.09"]\n[Round "1:1-2"]\n[First "ada"]\n[Second "bob"]\n'
        '[Result "1-0"]\n[Reason "fault"]\n[Fault "second time"]\n[Excluded "overloaded"]\nf5d6c3\n'
    )


def test_a_game_from_a_position_comes_back_with_it(make):
    assert "Start" not in transcript.write(make("f5"))
    (read,) = transcript.read(transcript.write(make("pass", "h1", start=STUCK, result="1-0")))
    assert (read.start, read.moves) == (STUCK, ("pass", "h1"))


def test_a_game_ended_by_adjudication_or_fault_keeps_its_result(make):
    for result in ("1-0", "0-1", "1/2-1/2"):
        (read,) = transcript.read(transcript.write(make("f5", reason="adjudication", result=result)))
        assert read.result == result


def test_a_game_without_moves_comes_back_between_others(make):
    records = [make("f5", key="1"), make(key="2"), make("d3", key="3"), make(key="4")]
    for between in ("", "\n"):
        read = transcript.read(between.join(map(transcript.write, records)))
        assert [(game.headers["Round"], game.moves) for game in read] == [
            ("1", ("f5",)), ("2", ()), ("3", ("d3",)), ("4", ()),
        ]  # fmt: skip


def test_each_bare_line_is_a_game():
    read = transcript.read("f5d6c3\r\n\r\nf5f6\n")
    assert [game.moves for game in read] == [("f5", "d6", "c3"), ("f5", "f6")]
    assert [game.result for game in read] == ["*", "*"]
    assert transcript.read("\n\n") == []


@pytest.mark.parametrize("name", ['x"]\n[Result "0-1"]', '"', "\\", '\\"', "a\u2028[b", "f5d6", '"]', "=1+1"])
def test_a_hostile_name_cannot_add_a_tag(make, name):
    (read,) = transcript.read(transcript.write(make("f5", first=name, league=name, host=name), excluded=name))
    assert (read.result, read.moves) == ("1-0", ("f5",))
    assert read.headers["First"] == name.replace("\n", "\\x0a").replace("\u2028", "\\u2028")


def test_a_game_without_transcripts_is_refused(make_record):
    with pytest.raises(NotationError, match=r"^only othello has transcripts, not microchess; use another format$"):
        transcript.write(make_record())

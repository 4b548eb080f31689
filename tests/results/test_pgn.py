"""Games as PGN and back."""

import io
import random

import chess.pgn
import chess.variant
import pytest

import games
from results.errors import PgnError
from results.notation import pgn
from results.record import FaultRecord, MoveRecord

CASTLES = "k2r/p3/4/3P/R2K w Qk - 0 1"


def played(game, state, *, seed, turns=1000):
    """A random game from here: its move texts and where it ended."""
    rng, moves = random.Random(seed), []
    while not state.is_game_over() and len(moves) < turns:
        move = rng.choice(list(state.legal_moves))
        moves.append(str(move))
        state = state.forward(move)
    return moves, state


def timed(moves):
    return tuple(MoveRecord(text, number / 8) for number, text in enumerate(moves))


@pytest.fixture
def roundtrip(make_record):
    """Play at random, write it, read it back."""

    def check(text, *, seed, start=None):
        game = games.load(text)
        state = game.start() if start is None else game.position(start)
        moves, end = played(game, state, seed=seed)
        record = make_record(game=game.name, parameters=game.parameters, start=state.text, moves=timed(moves))
        (read,) = pgn.read(pgn.write(record))
        assert read.game.name == game.name
        assert read.game.parameters == game.parameters
        assert (read.start, read.moves) == (state.text, tuple(moves))
        assert read.state.text == end.text
        assert read.state.ending == end.ending
        return read

    return check


@pytest.mark.parametrize("seed", range(20))
def test_microchess_games_come_back_with_their_endings(roundtrip, seed):
    roundtrip("microchess", seed=seed)


@pytest.mark.parametrize("seed", range(3))
def test_chess_games_come_back_with_their_endings(roundtrip, seed):
    roundtrip("chess:turns=120", seed=seed)


@pytest.mark.parametrize("game", ["chess:turns=7", "microchess:turns=7"])
def test_the_turn_limit_of_a_game_is_applied_when_it_is_read(roundtrip, game):
    read = roundtrip(game, seed=1)
    assert read.headers["TurnLimit"] == "7"
    assert read.state.ending.reason == "turn-limit"
    assert read.state.turns == 7


def test_a_game_without_turn_limit_has_no_such_tag(make_record):
    moves, _ = played("microchess", games.load("microchess:turns=0").start(), seed=2, turns=5)
    text = pgn.write(make_record(parameters={"turns": 0}, moves=timed(moves)))
    assert "TurnLimit" not in text
    (read,) = pgn.read(text)
    assert read.game.parameters == {"turns": 0}
    assert read.state.ending is None


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("start", [CASTLES, CASTLES.replace("w", "b"), "k3/4/4/3P/R2K b Q - 3 17"])
def test_a_game_from_a_position_comes_back(roundtrip, start, seed):
    roundtrip("microchess", seed=seed, start=start)


@pytest.mark.parametrize(("start", "move"), [(CASTLES, "d1b1"), (CASTLES.replace("w", "b"), "a5c5")])
def test_castling_in_microchess_comes_back(make_record, start, move):
    (read,) = pgn.read(pgn.write(make_record(start=start, moves=timed([move]))))
    assert read.moves == (move,)


def test_a_promotion_comes_back(make_record):
    start = "3k/P3/4/4/3K w - - 0 1"
    (read,) = pgn.read(pgn.write(make_record(start=start, moves=timed(["a4a5n"]))))
    assert read.moves == ("a4a5n",)


def test_the_tags_of_a_game(make_record):
    text = pgn.write(make_record("2:1-2", moves=timed(["c1b3"]), opening=("c1b3",), reason="turn-limit", detail="13-5"))
    (read,) = pgn.read(text)
    assert read.headers == {
        "Event": "spring",
        "Site": "box",
        "Date": "2026.05.09",
        "Round": "2:1-2",
        "White": "ada",
        "Black": "bob",
        "Result": "1-0",
        "UTCDate": "2026.05.09",
        "UTCTime": "12:00:00",
        "TimeControl": "400",
        "Termination": "adjudication",
        "Reason": "turn-limit: 13-5",
        "Seed": "7",
        "TurnLimit": "80",
        "ArenaGame": "microchess",
        "ArenaStart": "knbr/p3/4/3P/RBNK w Qk - 0 1",
    }
    assert read.result == "1-0"


def test_chess_from_its_own_start_needs_no_position_tag(make_record):
    start = games.load("chess").start().text
    text = pgn.write(make_record(game="chess", parameters={"turns": 0}, start=start, moves=timed(["e2e4"])))
    assert "FEN" not in text
    assert "Variant" not in text
    assert "1. e4" in text


@pytest.mark.parametrize(
    ("rule", "termination"), [("time", "time forfeit"), ("illegal-move", "rules infraction"), (None, "normal")]
)
def test_the_termination_tag_follows_the_ending(make_record, rule, termination):
    fault = rule and FaultRecord("second", rule, "", {})
    record = make_record(moves=(), fault=fault, reason="fault" if rule else "checkmate")
    (read,) = pgn.read(pgn.write(record))
    assert read.headers["Termination"] == termination
    assert read.headers["Reason"] == (f"fault: second {rule}" if rule else "checkmate")


def test_moves_after_the_opening_have_their_time(make_record):
    moves = (MoveRecord("c1b3"), MoveRecord("b5c3", 61.5), MoveRecord("d2c3", 0.125))
    text = pgn.write(make_record(opening=("c1b3",), moves=moves))
    found = " ".join(text.split("\n\n")[1].split())
    assert found == "{ moves of microchess: 1. Nb3+ Nc3+ 61.500s 2. dxc3+ 0.125s } 1-0"


def test_moves_of_chess_have_their_time_in_the_usual_comment(make_record):
    start = games.load("chess").start().text
    text = pgn.write(make_record(game="chess", parameters={"turns": 0}, start=start, moves=timed(["e2e4", "e7e5"])))
    assert "1. e4 { [%emt 0:00:00] } 1... e5 { [%emt 0:00:00.125] } 1-0" in " ".join(text.split())


def test_lines_are_short_enough_for_any_reader(make_record):
    moves, _ = played("microchess", games.load("microchess").start(), seed=4)
    assert max(map(len, pgn.write(make_record(moves=timed(moves))).splitlines())) <= 80


@pytest.mark.parametrize("seed", range(10))
def test_a_reader_that_does_not_know_microchess_is_not_misled(make_record, monkeypatch, seed):
    known = [variant for variant in chess.variant.VARIANTS if variant.uci_variant != "arenamicro"]
    monkeypatch.setattr(chess.variant, "VARIANTS", known)
    moves, _ = played("microchess", games.load("microchess").start(), seed=seed)
    stream = io.StringIO(pgn.write(make_record(moves=timed(moves))) + "\n1. e4 *\n")
    game = chess.pgn.read_game(stream)
    assert game.errors == []
    assert list(game.mainline_moves()) == []
    assert (game.headers["White"], game.headers["Result"], game.headers["ArenaGame"]) == ("ada", "1-0", "microchess")
    assert chess.pgn.read_game(stream).end().san() == "e4"


def test_a_file_of_an_earlier_version_is_read():
    text = (
        '[Result "1-0"]\n[TurnLimit "80"]\n[FEN "8/8/8/knbr4/p7/8/3P4/RBNK4 w Qk - 0 1"]\n[SetUp "1"]\n'
        '[Variant "Microchess"]\n\n1. d4 { [%emt 0:01:01.5] } 1... a3 { [%emt 0:00:00.125] } 1-0\n'
    )
    (read,) = pgn.read(text)
    assert (read.game.name, read.moves) == ("microchess", ("d2d4", "a4a3"))


def test_a_game_of_ours_without_its_moves_is_refused():
    for comment in ("", "{ moves of chess: 1. e4 }", "{ moves of nim: 1 }"):
        with pytest.raises(PgnError, match="there is no comment with the moves of 'microchess'"):
            pgn.read(f'[ArenaGame "microchess"]\n[ArenaStart "{CASTLES}"]\n\n{comment} *\n')


def test_several_games_in_one_text(make_record):
    records = [make_record(str(number), moves=timed(["c1b3"])) for number in range(3)]
    read = pgn.read("\n".join(map(pgn.write, records)))
    assert [game.headers["Round"] for game in read] == ["0", "1", "2"]


def test_a_hostile_name_cannot_add_a_tag(make_record):
    name = 'x"]\n[Result "0-1"]\n[Y "'
    record = make_record(league=name, host="\x1b[2J", moves=())
    (read,) = pgn.read(pgn.write(record))
    assert read.headers["Result"] == "1-0"
    assert "Y" not in read.headers
    assert read.headers["Site"] == "/x1b[2J"


@pytest.mark.parametrize("name", ['bad <i>|"ones"', '"', "a\\", '\\"', '"]'])
def test_quotes_and_backslashes_do_not_end_a_tag(make_record, name):
    text = pgn.write(make_record(league=name, first=name, moves=()), excluded=name)
    replaced = name.replace('"', "'").replace("\\", "/")
    assert f'[Event "{replaced}"]\n' in text
    (read,) = pgn.read(text)
    assert [read.headers[tag] for tag in ("Event", "White", "Excluded")] == [replaced] * 3
    tags = [line for line in text.splitlines() if line.startswith("[")]
    assert all(line.count('"') == 2 and "\\" not in line for line in tags)


def test_a_game_without_pgn_is_refused(make_record):
    with pytest.raises(PgnError, match=r"^only chess and microchess have PGN, not othello; use another format$"):
        pgn.write(make_record(game="othello"))


def test_an_empty_text_holds_no_games():
    assert pgn.read("\n\n") == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hello world", "no tags and no moves"),
        ("1. e4 e5 2. Ke3 *", "illegal san: 'Ke3'"),
        ('[Variant "Atomic"]\n\n1. e4 *', "no variant called 'Atomic'; there are Standard and Microchess"),
        ('[Variant "Calvinball"]\n\n1. e4 *', "unsupported variant: Calvinball"),
        ('[SetUp "1"]\n[FEN "xx"]\n\n1. e4 *', "xx"),
        ('[TurnLimit "many"]\n\n1. e4 *', "TurnLimit is a whole number, not 'many'"),
        ('[TurnLimit "1"]\n\n1. e4 e5 *', "'e7e5' is not a legal move"),
    ],
)
def test_unreadable_text_is_reported_in_one_line(text, complaint, caplog):
    with pytest.raises(PgnError, match=r"^game 1 of the PGN cannot be read: ") as caught:
        pgn.read(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caplog.records == []


def test_an_error_names_the_number_of_the_game():
    with pytest.raises(PgnError, match=r"^game 2 "):
        pgn.read("1. e4 *\n\n1. e5 *\n")

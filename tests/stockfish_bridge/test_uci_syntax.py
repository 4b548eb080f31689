"""The text of UCI: what one side writes, the other side reads; replies of friendly and hostile engines."""

import subprocess
import sys

import pytest

from games.errors import BadPosition
from stockfish_bridge.uci_syntax import (
    MATE,
    Go,
    Option,
    Position,
    SetOption,
    bestmove_line,
    name_line,
    read_bestmove,
    read_name,
    read_score,
    split_command,
)

FEN = "8/P6k/8/8/8/8/8/K7 w - - 3 40"


@pytest.mark.parametrize(
    "command",
    [
        Position(""), Position("", ("e2e4", "e7e5")), Position(FEN), Position(FEN, ("a1a2",)),
        Go(wtime=5000, btime=3000), Go(movetime=250), Go(nodes=10**15), Go(depth=7, searchmoves=("e2e4", "d2d4")),
        Go(is_infinite=True), Go(wtime=-30, btime=1, is_ponder=True), Go(),
        SetOption("Clear Hash"), SetOption("Skill Level", "3"), SetOption("EvalFile", "/a b.nnue"),
    ],
    ids=str,
)  # fmt: skip
def test_a_command_that_is_written_is_read(command):
    name, words = split_command(str(command))
    assert type(command).read(words) == command
    assert name == {"Position": "position", "Go": "go", "SetOption": "setoption"}[type(command).__name__]


def test_a_fen_without_counters_gets_them():
    assert Position.read(["fen", *FEN.split()[:4]]) == Position("8/P6k/8/8/8/8/8/K7 w - - 0 1")


@pytest.mark.parametrize("text", ["", "nonsense", "fen", "startpos e2e4", "moves e2e4"])
def test_a_position_of_another_form_is_refused(text):
    with pytest.raises(BadPosition, match="expected startpos, or fen and a FEN"):
        Position.read(text.split())


def test_words_before_a_command_are_ignored():
    assert split_command("joho isready") == ("isready", [])
    assert split_command("hello") == ("", [])


def test_a_reply_that_is_written_is_read():
    assert read_name(name_line("arena uct 1.0")) == "arena uct 1.0"
    assert read_bestmove(bestmove_line("e2e4")) == "e2e4"
    assert read_bestmove(bestmove_line(None)) == "(none)"
    option = Option("UCI_Variant", "combo", choices=("chess", "microchess"))
    assert Option.read(option.line(default="chess")) == option


def test_the_name_is_the_rest_of_the_line():
    assert read_name("id name Stockfish 15.1") == "Stockfish 15.1"
    assert read_name("id  name   Toga II 3.0 \r") == "Toga II 3.0"
    assert read_name("id author somebody") is None
    assert read_name("id name") is None
    assert read_name("") is None


def test_a_long_name_is_cut():
    assert read_name("id name " + "x" * 60_000) == "x" * 100


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("option name Hash type spin default 16 min 1 max 1024", Option("Hash", "spin", least=1, most=1024)),
        ("option name Skill Level type spin default 20 min -20 max 20", Option("Skill Level", "spin", (), -20, 20)),
        ("option name Clear Hash type button", Option("Clear Hash", "button")),
        ("option name Ponder type check default false", Option("Ponder", "check")),
        ("option name Debug Log File type string default ", Option("Debug Log File", "string")),
        (
            "option name Style type combo default Very Solid var Very Solid var Wild",
            Option("Style", "combo", choices=("Very Solid", "Wild")),
        ),
        ("option name Empty type combo", Option("Empty", "combo")),
        ("option name Loose type spin", Option("Loose", "spin")),
    ],
)
def test_options_are_read(line, option):
    assert Option.read(line) == option


@pytest.mark.parametrize(
    "line",
    ["", "option", "option name", "option name type spin", "option name X type oracle", "id name X", "info string"],
)
def test_other_lines_are_not_options(line):
    assert Option.read(line) is None


def test_absurd_bounds_are_ignored():
    option = Option.read(f"option name Hash type spin min {'9' * 5000} max 10")
    assert (option.least, option.most) == (None, 10)


def test_a_value_is_written_in_the_form_of_its_option():
    assert Option("Ponder", "check").text("yes") == "true"
    assert Option("Ponder", "check").text("False") == "false"
    assert Option("Ponder", "check").text(1) is None
    assert Option("Hash", "spin", least=1, most=8).text(8) == "8"
    assert Option("Hash", "spin", least=1, most=8).text(9) is None
    assert Option("Hash", "spin", least=1, most=8).text(0) is None
    assert Option("Hash", "spin").text("much") is None
    assert Option("Style", "combo", choices=("Wild",)).text("wild") == "Wild"
    assert Option("Style", "combo", choices=("Wild",)).text("Tame") is None
    assert Option("File", "string").text("/a b") == "/a b"


def test_scores_are_for_the_side_to_move():
    assert read_score("info depth 4 score cp -35 nodes 5 pv e2e4") == -35
    assert read_score("info depth 1 multipv 1 score cp 12") == 12


def test_a_mate_scores_higher_than_pawns_and_a_near_mate_highest():
    near, far = read_score("info score mate 1"), read_score("info score mate 9")
    assert MATE > near > far > read_score("info score cp 999999999")
    assert read_score("info score mate -1") == -near
    assert read_score("info score mate 0") == -MATE


@pytest.mark.parametrize(
    "line",
    [
        "",
        "score cp 5",
        "info depth 3",
        "info score cp 5 lowerbound",
        "info score cp 5 upperbound nodes 7",
        "info multipv 2 score cp 5",
        "info multipv 12 score cp 5",
        "info string score cp 5",
        "info score cp",
        "info score cp five",
        f"info score cp {'9' * 60_000}",
        "info score mate \u0663",
    ],
)
def test_only_an_exact_score_of_the_best_line_counts(line):
    assert read_score(line) is None


def test_the_move_is_the_word_after_bestmove():
    assert read_bestmove("bestmove e2e4 ponder e7e5") == "e2e4"
    assert read_bestmove("  bestmove   e2e4") == "e2e4"
    assert read_bestmove("bestmove (none)") == "(none)"
    assert read_bestmove("bestmove") == ""
    assert read_bestmove("bestmoves e2e4") is None
    assert read_bestmove("info bestmove e2e4") is None
    assert read_bestmove("bestmove " + "x" * 60_000) == "x" * 64


def test_an_option_line_of_spaces_takes_no_time():
    # CPU time, not wall time: the limit means the same on a busy machine.
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (20, 20))\n"
        "from stockfish_bridge.uci_syntax import Option\n"
        "line = 'option name ' + 'x ' * 2000 + ' ' * 60_000 + 'typ'\n"
        "print([Option.read(line) for _ in range(100)] == [None] * 100)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "True\n")

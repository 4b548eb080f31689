"""Playing against a scripted UCI engine."""

import pytest

import games
from agents.external.protocol import EngineProtocol, ScriptedChannel
from agents.seat import Ended, Fault, Late
from games.base import WHITE
from games.errors import BadParameters
from stockfish_bridge.errors import BrokenPosition
from stockfish_bridge.uci import Uci

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MICRO = "knbr/p3/4/3P/RBNK w Qk - 0 1"
FAR = float("inf")
VARIANTS = "option name UCI_Variant type combo default chess var chess var {}"


def answering(*lines):
    """A search that always answers with these lines."""
    return lambda position, go: lines


@pytest.fixture
def asked(chess_game, history, times, scripted):
    """The result of `ask` for an engine that answers with these lines, and the lines sent."""

    def ask(*lines, moves=(), start=None, game=chess_game, **options):
        channel = scripted(answering(*lines))
        answer = Uci(game, options).ask(channel, history(game, *moves, start=start), times, FAR)
        return answer, channel.sent

    return ask


def test_it_plays_chess_and_microchess_from_any_position(chess_game):
    protocol: EngineProtocol = Uci(chess_game, {})
    assert protocol.games == ("chess", "microchess")
    assert protocol.starts == "anywhere"
    assert protocol.name == ""


def test_the_handshake_reads_the_name(chess_game, scripted):
    channel = scripted(name="Fake 2.0")
    protocol = Uci(chess_game, {})
    protocol.greet(channel, FAR)
    assert protocol.name == "Fake 2.0"
    assert channel.sent == ["uci", "setoption name Threads value 1", "isready"]


def test_threads_is_not_set_if_the_engine_lacks_it(chess_game, scripted):
    channel = scripted(options=())
    Uci(chess_game, {}).greet(channel, FAR)
    assert channel.sent == ["uci", "isready"]


def test_options_are_found_in_any_case_and_with_underscores(chess_game, scripted):
    channel = scripted()
    Uci(chess_game, {"skill_level": 3, "THREADS": 2, "nodes": 5}).greet(channel, FAR)
    assert channel.sent[1:-1] == ["setoption name Skill Level value 3", "setoption name Threads value 2"]


def test_optional_options_are_set_only_if_offered(chess_game, scripted):
    channel = scripted()
    Uci(chess_game, {"hash": 4}, if_offered={"Skill_Level": 5, "Magic": 1, "Hash": 8}).greet(channel, FAR)
    assert channel.sent[1:-1] == [
        "setoption name Threads value 1",
        "setoption name Skill Level value 5",
        "setoption name Hash value 4",
    ]


def test_a_button_is_pressed(chess_game, scripted):
    channel = scripted(options=["option name Clear Hash type button"])
    Uci(chess_game, {"Clear_Hash": "yes"}).greet(channel, FAR)
    assert "setoption name Clear Hash" in channel.sent


def test_an_option_that_the_engine_does_not_have_is_its_fault(chess_game, scripted):
    with pytest.raises(Fault, match="protocol: has no option 'Contempt'") as caught:
        Uci(chess_game, {"Contempt": 5}).greet(scripted(), FAR)
    assert caught.value.rule == "protocol"


def test_a_value_that_the_option_does_not_have_is_its_fault(chess_game, scripted):
    with pytest.raises(Fault, match="has no value 21 for its option 'Skill Level'"):
        Uci(chess_game, {"Skill_Level": 21}).greet(scripted(), FAR)


def test_other_lines_in_the_handshake_are_ignored(chess_game):
    lines = ["Welcome!", "", "info string uciok", "id name A", "\tid", "option", "option name X type x", "uciok"]
    answers = {"uci": lines, "isready": ["copyprotection ok", "readyok?", "readyok"]}
    protocol = Uci(chess_game, {})
    protocol.greet(ScriptedChannel(lambda line: answers.get(line, ())), FAR)
    assert protocol.name == "A"


def test_options_beyond_a_maximum_are_ignored(chess_game, scripted):
    many = [f"option name X{number} type button" for number in range(600)]
    with pytest.raises(Fault, match="has no option 'X599'"):
        Uci(chess_game, {"X599": "yes"}).greet(scripted(options=many), FAR)


def test_a_silent_engine_is_late_and_a_dead_engine_has_ended(chess_game):
    with pytest.raises(Late):
        Uci(chess_game, {}).greet(ScriptedChannel(lambda line: ()), FAR)
    with pytest.raises(Ended):
        Uci(chess_game, {}).greet(ScriptedChannel(lambda line: [Ended("gone")]), FAR)


def test_a_new_game_is_announced_and_confirmed(chess_game, scripted):
    channel = scripted()
    Uci(chess_game, {}).begin(channel, WHITE, start=START, seed=1, deadline=FAR)
    assert channel.sent == ["ucinewgame", "isready"]


@pytest.mark.parametrize(
    ("start", "value"),
    [(START, "false"), ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "true")],
)
def test_an_engine_is_told_whether_it_plays_chess960(chess_game, scripted, start, value):
    channel = scripted(options=("option name UCI_Chess960 type check default false",))
    engine = Uci(chess_game, {})
    engine.greet(channel, FAR)
    engine.begin(channel, WHITE, start=start, seed=1, deadline=FAR)
    assert f"setoption name UCI_Chess960 value {value}" in channel.sent


def test_an_engine_that_does_not_know_chess960_cannot_play_it(chess_game, scripted):
    with pytest.raises(Fault, match="has no option 'UCI_Chess960'"):
        Uci(chess_game, {}).begin(scripted(), WHITE, start="4k3/8/8/8/8/8/8/RK5R w HA - 0 1", seed=1, deadline=FAR)


def test_the_end_is_sent(chess_game, scripted):
    channel = scripted()
    Uci(chess_game, {}).end(channel)
    assert channel.sent == ["quit"]


def test_it_sends_the_whole_history_and_waits_before_it_asks(asked):
    answer, sent = asked("info score cp 3", "bestmove g1f3 ponder b8c6", moves=("e2e4", "e7e5"), nodes=500)
    assert answer == "g1f3"
    assert sent == [f"position fen {START} moves e2e4 e7e5", "isready", "go nodes 500"]


def test_without_a_limit_it_plays_by_the_clock(asked):
    _, sent = asked("bestmove e7e5", moves=("e2e4",))
    assert sent[-1] == "go wtime 90000 btime 100000"


def test_a_late_reply_to_an_earlier_search_is_ignored(chess_game, history, times):
    # The engine answers its last search late: after the new position, and again before it is ready.
    answers = {
        f"position fen {START}": ["info depth 30", "bestmove a2a3"],
        "isready": ["bestmove b2b3", "readyok"],
        "go depth 1": ["bestmove e2e4"],
    }
    channel = ScriptedChannel(lambda line: answers.get(line, ()))
    assert Uci(chess_game, {"depth": 1}).ask(channel, history(chess_game), times, FAR) == "e2e4"


def test_castling_written_as_king_takes_rook_is_read(asked):
    start = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert asked("bestmove e1h1", start=start)[0] == "e1g1"


@pytest.mark.parametrize("raw", ["(none)", "0000", "e2e5", "NULL", "resign", "\x1b[31mred", "e7e8Q"])
def test_an_illegal_move_is_returned_as_it_is(asked, raw):
    assert asked(f"bestmove {raw}")[0] == raw


def test_a_search_that_ends_without_a_move_is_a_fault(asked):
    with pytest.raises(Fault, match="protocol: ended its search without a move"):
        asked("bestmove")


def test_hostile_lines_during_a_search_are_ignored(asked):
    noise = ["info " + "pv " * 20_000, "\x00\x07", "info score cp " + "9" * 60_000, "bestmoves e2e4", "readyok", ""]
    assert asked(*noise, "bestmove e2e4")[0] == "e2e4"


def test_a_search_that_never_ends_is_late(asked):
    with pytest.raises(Late):
        asked("info depth 1")


def test_an_engine_that_exits_has_ended(asked):
    with pytest.raises(Ended):
        asked(Ended("gone"))


def test_the_only_move_is_played_without_asking(asked):
    assert asked(start="k7/8/8/8/8/8/1r6/7K w - - 0 1") == ("h1g1", [])


def test_no_engine_is_asked_about_a_finished_game(asked):
    with pytest.raises(BrokenPosition, match="there is no legal move"):
        asked(start="7k/5KQ1/8/8/8/8/8/8 b - - 0 1")


def test_a_start_is_sent_in_its_normal_form(asked, microchess):
    padded = "8/8/8/knbr4/p7/8/3P4/RBNK4 w Kq - 0 1"
    answer, sent = asked("bestmove b1d3", start=padded, game=microchess)
    assert answer == "b1d3"
    assert sent[0] == f"position fen {MICRO}"


def test_castling_letters_without_effect_are_not_sent(asked):
    _, sent = asked("bestmove e1e2", start="4k3/8/8/8/8/8/7P/4K3 w Q - 0 1")
    assert sent[0] == "position fen 4k3/8/8/8/8/8/7P/4K3 w - - 0 1"


@pytest.mark.parametrize("variant", ["arenamicro", "Microchess"])
def test_an_engine_with_variants_is_set_to_microchess(microchess, scripted, variant):
    channel = scripted(options=[VARIANTS.format(variant)])
    Uci(microchess, {}).greet(channel, FAR)
    assert channel.sent == ["uci", f"setoption name UCI_Variant value {variant}", "isready"]


def test_a_given_variant_is_kept(microchess, scripted):
    channel = scripted(options=[VARIANTS.format("micro4x5")])
    Uci(microchess, {"uci_variant": "micro4x5"}).greet(channel, FAR)
    assert channel.sent == ["uci", "setoption name UCI_Variant value micro4x5", "isready"]


def test_an_engine_without_a_microchess_variant_is_at_fault(microchess, scripted):
    with pytest.raises(Fault, match="has no variant arenamicro or microchess"):
        Uci(microchess, {}).greet(scripted(options=[VARIANTS.format("shogi")]), FAR)


def test_an_engine_without_variants_gets_the_microchess_board(microchess, scripted, history, times):
    channel = scripted(answering("bestmove b1d3"), options=())
    protocol = Uci(microchess, {"nodes": 5})
    protocol.greet(channel, FAR)
    assert protocol.ask(channel, history(microchess), times, FAR) == "b1d3"
    assert channel.sent[2:] == [f"position fen {MICRO}", "isready", "go nodes 5"]


def test_an_engine_for_64_squares_is_at_fault_in_microchess(microchess, chess_game, scripted):
    options = ["option name UCI_Chess960 type check default false"]
    Uci(chess_game, {}).greet(scripted(options=options), FAR)
    with pytest.raises(Fault, match="plays on 64 squares only"):
        Uci(microchess, {}).greet(scripted(options=options), FAR)


def test_options_are_read_again_after_a_variant_file(microchess):
    """After VariantPath the engine offers the variants of the file."""
    variants = ["chess"]

    def reply(line):
        if line.startswith("setoption name VariantPath"):
            variants.append("arenamicro")
        if line == "uci":
            offered = "".join(f" var {variant}" for variant in variants)
            combo = f"option name UCI_Variant type combo default chess{offered}"
            return [combo, "option name VariantPath type string", "uciok"]
        return ["readyok"] if line == "isready" else []

    channel = ScriptedChannel(reply)
    Uci(microchess, {"VariantPath": "/a b.ini"}).greet(channel, FAR)
    assert channel.sent == [
        "uci",
        "setoption name VariantPath value /a b.ini",
        "uci",
        "setoption name UCI_Variant value arenamicro",
        "isready",
    ]


def test_other_games_are_refused():
    with pytest.raises(BadParameters, match="uci engines play chess and microchess, not othello"):
        Uci(games.load("othello"), {})


@pytest.mark.parametrize("value", ["a\nquit", "a\rb", "a\0b"])
def test_an_option_cannot_contain_a_line_break(chess_game, value):
    with pytest.raises(BadParameters, match="cannot be sent in a line"):
        Uci(chess_game, {"EvalFile": value})


def test_two_limits_are_refused_at_once(chess_game):
    with pytest.raises(BadParameters, match="more than one limit"):
        Uci(chess_game, {"nodes": 5, "seconds": 1})


def test_what_the_engine_thinks_is_passed_on_and_hostile_lines_are_dropped(chess_game, history, times, scripted):
    channel = scripted(
        answering(
            "info depth 3 score cp 100 nodes 77 pv e2e4 e7e5", "info depth 4 score cp nan pv e2e4",
            "info string score cp 5",
            "info depth 5 score cp 99999999999", "info depth 9 score lowerbound", "info multipv 2 depth 5 score cp 7",
            "info depth 6 score mate 2 nodes 999999999999999999 pv " + "e2e4 " * 500, "bestmove e2e4",
        )
    )  # fmt: skip
    heard = []
    uci = Uci(chess_game, {})
    uci.on_thought = heard.append
    assert uci.ask(channel, history(chess_game), times, FAR) == "e2e4"
    assert [(one["depth"], one["nodes"], len(one["line"])) for one in heard] == [(3, 77, 2), (6, 0, 32)]
    assert heard[0]["value"] == pytest.approx(0.64, abs=0.001)
    assert heard[1]["value"] > 0.99

"""The entrant `stockfish`: its options, its binary and its commands."""

from pathlib import Path

import pytest

import games
from agents.external.protocol import EngineProtocol
from agents.seat import Fault
from games.base import WHITE
from games.errors import BadParameters
from stockfish_bridge.errors import EngineMissing
from stockfish_bridge.stockfish import VARIANT_FILE, Stockfish, plan

FAR = float("inf")
FAIRY = (
    "option name Threads type spin default 1 min 1 max 512",
    "option name Hash type spin default 16 min 1 max 131072",
    "option name Skill Level type spin default 20 min -20 max 20",
    "option name UCI_Variant type combo default chess var chess var arenamicro",
    "option name VariantPath type string default <empty>",
)


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    path = tmp_path / "engine"
    path.write_text("an engine")
    path.chmod(0o755)
    return path


def test_chess_is_played_by_stockfish(chess_game):
    made = plan(chess_game, {}, environment={})
    assert made.command == ("/usr/games/stockfish",)
    assert made.read == ()
    assert made.options == {"level": 20, "nodes": 10_000, "hash": 16}


def test_microchess_is_played_by_fairy_stockfish_with_our_variant(microchess):
    made = plan(microchess, {"level": 5}, environment={})
    assert made.command == ("/usr/games/fairy-stockfish",)
    assert made.read == (str(VARIANT_FILE),)
    assert made.options == {"level": 5, "nodes": 10_000, "hash": 16, "backend": "fairy"}
    assert VARIANT_FILE.is_absolute()
    assert "[arenamicro:chess]" in VARIANT_FILE.read_text()


def test_the_baseline_is_the_8x8_engine(microchess):
    made = plan(microchess, {"backend": "standard", "seconds": 0.02}, environment={})
    assert made.command == ("/usr/games/stockfish",)
    assert made.read == ()
    assert made.options == {"level": 20, "seconds": 0.02, "hash": 16, "backend": "standard"}


def test_a_path_names_the_binary_and_is_recorded_in_full(chess_game, binary, monkeypatch):
    monkeypatch.chdir(binary.parent)
    made = plan(chess_game, {"path": "engine", "clock": "yes"})
    assert made.command == (str(binary),)
    assert made.options == {"level": 20, "clock": "yes", "hash": 16, "path": str(binary)}


def test_each_back_end_has_its_environment_variable(microchess, chess_game, binary):
    environment = {"ARENA_FAIRY_STOCKFISH": str(binary)}
    assert plan(microchess, {}, environment=environment).command == (str(binary),)
    assert plan(chess_game, {}, environment=environment).command == ("/usr/games/stockfish",)
    environment = {"ARENA_STOCKFISH": str(binary)}
    assert plan(microchess, {"backend": "standard"}, environment=environment).command == (str(binary),)


def test_a_missing_engine_is_reported(chess_game):
    with pytest.raises(EngineMissing, match="'/nowhere'"):
        plan(chess_game, {"path": "/nowhere"})


@pytest.mark.parametrize("options", [{}, {"level": 0}, {"depth": 3}, {"seconds": 1.5, "hash": 4}, {"clock": "yes"}])
@pytest.mark.parametrize("name", ["chess", "microchess"])
def test_the_recorded_options_give_the_same_plan(name, options):
    game = games.load(name)
    made = plan(game, options, environment={})
    assert plan(game, made.options, environment={}) == made
    Stockfish(game, made.options)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("othello", {}, "stockfish plays chess and microchess, not othello"),
        ("chess", {"levels": 3}, "stockfish has no option 'levels'; its options are level, nodes, depth, seconds, "),
        ("chess", {"level": 21}, "level must be a whole number from 0 to 20, not 21"),
        ("chess", {"level": -1}, "level must be a whole number from 0 to 20, not -1"),
        ("chess", {"level": "high"}, "level must be a whole number from 0 to 20, not 'high'"),
        ("chess", {"level": 2.5}, "level must be a whole number from 0 to 20, not 2.5"),
        ("chess", {"hash": 0}, "hash must be a whole number from 1 to 65536, not 0"),
        ("chess", {"nodes": 0}, "nodes must be a whole number from 1 to 1e+15, not 0"),
        ("chess", {"nodes": 1, "depth": 1}, "more than one limit: give only one of nodes, depth"),
        ("chess", {"backend": "fairy"}, "backend is an option of microchess only"),
        ("microchess", {"backend": "big"}, "backend must be fairy or standard, not 'big'"),
    ],
)
def test_bad_options_are_refused_in_one_line_by_plan_and_protocol(name, options, words):
    for make in (plan, Stockfish):
        with pytest.raises(BadParameters) as caught:
            make(games.load(name), options)
        assert str(caught.value).startswith(words)
        assert "\n" not in str(caught.value)


def test_it_plays_chess_and_microchess_from_any_position(chess_game):
    protocol: EngineProtocol = Stockfish(chess_game, {})
    assert (protocol.games, protocol.starts, protocol.name) == (("chess", "microchess"), "anywhere", "")


def test_it_speaks_uci_in_chess(chess_game, scripted, history, times):
    channel = scripted(lambda position, go: ["bestmove e2e4"], name="Stockfish 99")
    protocol = Stockfish(chess_game, {"level": 3, "nodes": 7, "hash": 32})
    protocol.greet(channel, FAR)
    protocol.begin(channel, WHITE, start=chess_game.start().text, seed=1, deadline=FAR)
    assert protocol.ask(channel, history(chess_game), times, FAR) == "e2e4"
    protocol.end(channel)
    assert protocol.name == "Stockfish 99"
    assert channel.sent == [
        "uci",
        "setoption name Threads value 1",
        "setoption name Skill Level value 3",
        "setoption name Hash value 32",
        "isready",
        "ucinewgame",
        "isready",
        f"position fen {chess_game.start().text}",
        "isready",
        "go nodes 7",
        "quit",
    ]


def test_the_variant_is_loaded_before_it_is_chosen(microchess, scripted):
    channel = scripted(options=FAIRY)
    Stockfish(microchess, {}).greet(channel, FAR)
    assert channel.sent[-4:] == [
        f"setoption name VariantPath value {VARIANT_FILE}",
        "uci",
        "setoption name UCI_Variant value arenamicro",
        "isready",
    ]


def test_an_engine_without_our_variant_is_at_fault(microchess, scripted):
    unmoved = [option.replace(" var arenamicro", "") for option in FAIRY]
    with pytest.raises(Fault, match="has no value 'arenamicro' for its option 'UCI_Variant'"):
        Stockfish(microchess, {}).greet(scripted(options=unmoved), FAR)


def test_an_8x8_engine_is_at_fault_as_fairy(microchess, scripted):
    with pytest.raises(Fault, match="has no option 'VariantPath'"):
        Stockfish(microchess, {}).greet(scripted(), FAR)


def test_the_baseline_needs_no_variant(microchess, scripted):
    channel = scripted()
    Stockfish(microchess, {"backend": "standard"}).greet(channel, FAR)
    assert not any("Variant" in line for line in channel.sent)


def test_an_engine_without_levels_plays_unless_a_level_is_given(chess_game, scripted):
    Stockfish(chess_game, {}).greet(scripted(options=()), FAR)
    with pytest.raises(Fault, match="has no option 'Skill_Level'"):
        Stockfish(chess_game, {"level": 5}).greet(scripted(options=()), FAR)

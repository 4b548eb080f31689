"""The agent `learned_alphabeta`: its games, weights, limits and reports."""

import subprocess
import sys
from pathlib import Path

import pytest

import games
from agents.basic.random_agent import RandomAgent
from agents.core.engine import DECIDED, Report
from agents.self_learning.learned_alphabeta import LearnedAlphaBetaAgent, shipped_weights
from agents.self_learning.value_features import feature_set
from agents.self_learning.value_learner import ValueLearner, ValueSettings
from agents.self_learning.value_weights import ValueWeights
from games.base import BLACK, WHITE

MICROCHESS = games.load("microchess")
#: The games whose weights come with the arena.
SHIPPED = ["gomoku", "microchess", "othello"]


@pytest.fixture
def file(value_weights, tmp_path):
    """A file of weights that mean nothing, for a game."""

    def make(name):
        features = feature_set(games.load(name).start())
        path = tmp_path / "some.bin"
        path.write_bytes(value_weights(features.game, features.size, first=32, second=8).to_bytes())
        return str(path)

    return make


def agent(color=WHITE, seed=0, **options):
    player = LearnedAlphaBetaAgent("learned", color, **options)
    player.rng.seed(seed)
    return player


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_weights_are_small_and_for_their_game(name):
    data = shipped_weights(name).read_bytes()
    assert len(data) <= 2_000_000
    features, weights = feature_set(games.load(name).start()), ValueWeights.from_bytes(data)
    assert (weights.game, weights.features) == (features.game, features.size)


def test_no_weights_are_shipped_that_no_test_knows():
    assert sorted(path.name for path in shipped_weights("any").parent.glob("learned_alphabeta-*.bin")) == [
        f"learned_alphabeta-{name}.bin" for name in SHIPPED
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_it_plays_with_the_shipped_weights_and_beats_random(name, points):
    scored = 0.0
    for seed, color in enumerate((WHITE, BLACK) * 2):
        opponent = RandomAgent("random", not color)
        opponent.rng.seed(seed)
        scored += points(games.load(name).start(), color, agent(color, seed, nodes=300), opponent)
    assert scored >= 3.5


@pytest.mark.parametrize("name", ["microchess", "othello", "gomoku:size=6"])
def test_whole_games_are_played_by_legal_moves(form, name, file, plays_against_random, capsys):
    # In Python an evaluation takes half a millisecond: short games there.
    options = {"depth": 1} if form == "kernel" else {"nodes": 3}
    players = {color: agent(color, weights=file(name), **options) for color in (WHITE, BLACK)}
    plays_against_random(games.load(name).start(), players.__getitem__)
    assert {player.form for player in players.values()} == {form}
    capsys.readouterr()


def test_mate_in_one_is_played(form, mate_in_one, capsys):
    position, mate = mate_in_one
    state = MICROCHESS.position(position)
    player = agent(state.turn, depth=2)
    assert str(player.act(state)) == mate
    assert player.report.score == DECIDED - 1
    capsys.readouterr()


def test_the_report_describes_the_search():
    player = agent(depth=3)
    move = player.act(MICROCHESS.start())
    report = player.report
    assert isinstance(report, Report)
    assert (report.move, report.form, report.depth, report.visits) == (str(move), "kernel", 3, ())
    assert report.nodes > 30
    assert len(report.pv) >= 3
    assert abs(report.score) < 5000


def test_the_nodes_are_a_limit_and_the_same_seed_gives_the_same_move():
    found = []
    for _ in range(2):
        player = agent(nodes=300, seed=4)
        found.append((str(player.act(MICROCHESS.start())), player.report))
        assert player.report.nodes <= 302
    assert found[0] == found[1]


def test_a_queen_more_is_worth_much_to_either_side():
    for text, sign in (("k3/4/4/2Q1/3K w - - 0 5", 1), ("kq2/4/4/4/3K w - - 0 5", -1), ("kq2/4/4/4/3K b - - 0 5", 1)):
        player = agent(depth=1)
        player.act(MICROCHESS.position(text))
        assert sign * player.report.score > 500


def test_a_game_that_it_did_not_learn_is_refused():
    with pytest.raises(ValueError, match="learned plays chess, microchess, othello and gomoku only"):
        agent(depth=1).act(games.load("go").start())


def test_a_missing_file_is_refused_in_words():
    with pytest.raises(ValueError, match=r"learned has no weights for microchess: cannot read nowhere\.bin"):
        agent(weights="nowhere.bin").act(MICROCHESS.start())


def test_a_file_for_another_game_or_board_and_a_hostile_file_are_refused_in_words(form, file, tmp_path):
    with pytest.raises(ValueError, match=r"cannot use some\.bin: these weights are for gomoku, not for microchess"):
        agent(weights=file("gomoku:size=6")).act(MICROCHESS.start())
    with pytest.raises(ValueError, match=r"cannot use some\.bin: these weights are for another size of the board"):
        agent(weights=file("gomoku:size=6")).act(games.load("gomoku:size=7").start())
    (tmp_path / "bad.bin").write_bytes(b"arenaval" + bytes(100))
    with pytest.raises(ValueError, match=r"cannot use bad\.bin: the file of weights has the unknown version 0"):
        agent(weights=str(tmp_path / "bad.bin")).act(MICROCHESS.start())


def test_an_exported_agent_plays_with_the_weights_beside_it_as_the_learner_does(tmp_path, monkeypatch):
    learner = ValueLearner("microchess", ValueSettings(first=32, second=8))
    weights = learner.weights(learner.network(1))
    (tmp_path / "agent.py").write_text(learner.agent())
    (tmp_path / "weights.bin").write_bytes(weights)
    module: dict[str, object] = {"__file__": str(tmp_path / "agent.py"), "__name__": "agent"}
    exec((tmp_path / "agent.py").read_text(), module)
    exported = module["Learned"]("exported", WHITE, nodes=500)
    exported.rng.seed(2)
    exported.act(MICROCHESS.start())
    other = agent(nodes=500, seed=2, weights=str(tmp_path / "weights.bin"))
    other.act(MICROCHESS.start())
    assert exported.report == other.report


def test_playing_loads_neither_torch_nor_numpy():
    code = (
        "import sys, games\n"
        "from agents.self_learning.learned_alphabeta import LearnedAlphaBetaAgent as Agent\n"
        "Agent('a', True, nodes=50).act(games.load('microchess').start())\n"
        "print(sorted({'torch', 'numpy', 'onnxruntime'} & set(sys.modules)))\n"
    )
    root = Path(games.__file__).parents[1]
    ran = subprocess.run([sys.executable, "-P", "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"

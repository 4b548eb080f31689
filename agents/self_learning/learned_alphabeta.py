"""The agent `learned_alphabeta`: alpha-beta whose value of positions was learned from its own games."""

import math
from pathlib import Path
from typing import Any, ClassVar, Final

from agents.alphabeta.search import PythonAlphaBeta
from agents.core.engine import Engine, Form, Limits, Report
from agents.core.knowledge import knowledge_of
from agents.core.native import NativeGame, alphabeta_report, extension
from agents.core.searching_agent import DeepeningAgent
from agents.endings.table import near_tables, tables
from agents.options import SWITCH, one_of, whole
from agents.self_learning.value_features import FeatureSet, feature_set
from agents.self_learning.value_weights import BadWeights, ValueWeights
from games.base import Color, State

__all__ = ["LearnedAlphaBetaAgent", "NativeLearnedSearch", "native_game", "python_search", "shipped_weights"]

_FOLDER: Final = Path(__file__).parent / "weights"


def shipped_weights(game: str) -> Path:
    """The file of the weights that come with the arena for a game; it exists for games that were learned."""
    return _FOLDER / f"learned_alphabeta-{game}.bin"


class LearnedAlphaBetaAgent(DeepeningAgent):
    """Searches until it reaches `depth`, `nodes`, `seconds` or `cpu_seconds` (all per move), whichever comes first.

    Without any of them it spends its share of the time left for the game. `weights` is a file to play with instead of
    the shipped one. The score of its report is in thousandths of a logit: 0 is an even game, 1000 a win in 73 %. A
    drawn game is worth `contempt` less than an even one: it plays on against weaker opponents. With `endings` it knows
    the tables of microchess endings, and with `book` the opening book, by default if neither `depth` nor `nodes` is
    given.
    """

    #: The weights of an agent that was exported; None: those that come with the arena.
    exported: ClassVar[Path | None] = None

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, nodes: int | None = None, weights: str | None = None,
        contempt: int = 300, endings: str = "yes", book: str | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, cpu_seconds=cpu_seconds, nodes=nodes, show=show)
        self.weights = None if weights is None else Path(weights)
        self.contempt = whole("contempt", contempt, least=-10_000, most=10_000)
        self.endings = one_of("endings", endings, SWITCH)
        self.set_book(book)

    def engine(self, state: State) -> Engine:
        """The native search, else the Python twin; both with the weights for the game of this state."""
        features = feature_set(state)
        if features is None:
            raise ValueError(f"{self.name} plays chess, microchess, othello and gomoku only")
        data = self._data(features)
        native = native_game(state, data)
        if native is not None:
            return NativeLearnedSearch(native, contempt=self.contempt, endings=self.endings)
        return python_search(features, ValueWeights.from_bytes(data), now=self.now, contempt=self.contempt)

    def value_of(self, state: State, report: Report) -> float:  # noqa: ARG002
        """The expected score of the side to move: the score is a logit, in thousandths."""
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, report.score / 1000))))

    def _data(self, features: FeatureSet) -> bytes:
        path = self.weights or self.exported or shipped_weights(features.game)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ValueError(f"{self.name} has no weights for {features.game}: cannot read {path.name}") from error
        try:
            _check(ValueWeights.from_bytes(data), features)
        except BadWeights as error:
            raise ValueError(f"{self.name} cannot use {path.name}: {error}") from error
        return data


class NativeLearnedSearch:
    """The native search with one set of weights. With `exact` the score is that of a full search to the depth."""

    form: Form = "kernel"

    def __init__(self, game: NativeGame, *, exact: bool = False, contempt: int = 0, endings: bool = False) -> None:
        self.game = game
        self._needs_endings = endings
        self._options = {"exact": exact, "contempt": contempt}

    def search(self, state: State, limits: Limits) -> Report:
        """The best move. What was learned about positions is kept from move to move."""
        self.game.set(state)
        if self._needs_endings and near_tables(state):
            self.game.native.use_endings(tables())
            self._needs_endings = False
        return alphabeta_report(self.game.native.alphabeta, limits=limits, **self._options)


def native_game(state: Any, weights: bytes, *, plain: bool = False) -> NativeGame | None:
    """The native search with these weights, set to a state; None if it cannot play the game.

    With `plain` it uses no vector instructions; its results are the same.
    """
    module, write = extension("agents.self_learning._value"), knowledge_of(state).native_position
    if module is None or write is None:
        return None
    try:
        position = write(state)
        game = NativeGame(module.Searcher(position.game, weights, plain=plain, **position.parameters), write)
        game.set(state)
    except (OverflowError, TypeError, ValueError):  # set up by hand: no game leads to this state
        return None
    return game


def python_search(features: FeatureSet, weights: ValueWeights, **options: Any) -> PythonAlphaBeta:
    """The twin in Python: the general search with the learned value; `options` are those of `PythonAlphaBeta`."""
    return PythonAlphaBeta(lead=lambda state: weights.value(features.active(state)), **options)


def _check(weights: ValueWeights, features: FeatureSet) -> None:
    if weights.game != features.game:
        raise BadWeights(f"these weights are for {weights.game}, not for {features.game}")
    if weights.features != features.size:
        raise BadWeights("these weights are for another size of the board")

"""Who says what a state is worth, and which moves look best."""

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from agents.core.lead import lead
from agents.evaluation import balance
from agents.puct.base import Evaluation, Evaluator
from games.base import State

__all__ = ["EVALUATORS", "Cached", "Heuristic", "asked", "normalized"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristic:
    """Values by what stands on the board; priors all alike, or by a look one turn ahead.

    What is counted is the balance of agents/evaluation.py or, with `leads`, the lead that alpha-beta counts.
    """

    leads: bool = False
    #: Priors are as exp(value / look) of what the moves lead to; 0: all alike.
    look: float = 0.0

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """Each of the states for itself."""
        return [Evaluation(self.value(state), self._priors(state)) for state in states]

    def value(self, state: State) -> float:
        """What a state is worth to the side to move; a decided game its result."""
        ending = state.ending
        if ending is not None:
            return 2 * ending.points(state.turn) - 1
        if not self.leads:
            return balance(state, state.turn)
        ahead = lead(state)
        return ahead / (abs(ahead) + self.scale(state))

    def scale(self, state: State) -> float:
        """The lead that is worth a half in the game of this state; 0 if leads are not counted."""
        if not self.leads:
            return 0.0
        modules = (base.__module__ for base in type(state).__mro__)
        return next((_SCALES[module] for module in modules if module in _SCALES), 1.0)

    def _priors(self, state: State) -> Sequence[float]:
        moves = list(state.legal_moves)
        if not self.look:
            return [1.0] * len(moves)
        values = []
        for move in moves:
            after = state.forward(move)
            values.append(self.value(after) if after.turn == state.turn else -self.value(after))
        top = max(values)
        return [math.exp((value - top) / self.look) for value in values]


#: By the module that defines the state or one of its base classes, as in agents/evaluation.py.
_SCALES: Final[Mapping[str, float]] = {
    "chess": 500.0,
    "games.go": 20.0,
    "games.gomoku": 1000.0,
    "games.mushroom": 10.0,
    "games.othello": 100.0,
}

#: What the option `evaluator` may be.
EVALUATORS: Final[Mapping[str, Heuristic]] = MappingProxyType(
    {
        "material": Heuristic(),
        "look": Heuristic(look=0.1),
        "lead": Heuristic(leads=True),
        "lead_look": Heuristic(leads=True, look=0.1),
    }
)


class Cached:
    """An evaluator that remembers what it said of the last `size` different states."""

    def __init__(self, evaluator: Evaluator, size: int) -> None:
        self._evaluator = evaluator
        self._size = size
        self._known: OrderedDict[object, Evaluation] = OrderedDict()
        self.asked = 0
        self.hits = 0

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """What is known, and the rest together from the evaluator."""
        # Moves too: what was played before may forbid some of them.
        keys = [(state.text, tuple(state.legal_moves)) for state in states]
        new = {key: state for key, state in zip(keys, states, strict=True) if key not in self._known}
        self.asked += len(states)
        self.hits += len(states) - len(new)
        found = {key: self._known[key] for key in keys if key in self._known}
        found.update(zip(new, self._evaluator.evaluate(list(new.values())) if new else (), strict=True))
        for key, evaluation in found.items():
            self._known[key] = evaluation
            self._known.move_to_end(key)
        while len(self._known) > self._size:
            self._known.popitem(last=False)
        return [found[key] for key in keys]


def asked(evaluator: Evaluator, states: Sequence[State]) -> Sequence[Evaluation]:
    """The evaluations of some states, with priors that add up to 1; one that makes no sense is a `ValueError`."""
    evaluations = evaluator.evaluate(states) if states else ()
    if len(evaluations) != len(states):
        raise ValueError(f"the evaluator gave {len(evaluations)} evaluations for {len(states)} states")
    found = []
    for state, evaluation in zip(states, evaluations, strict=True):
        if not -1 <= evaluation.value <= 1:
            raise ValueError(f"the evaluator gave the value {evaluation.value}, which is not from -1 to 1")
        if len(evaluation.priors) != len(state.legal_moves):
            raise ValueError(f"the evaluator gave {len(evaluation.priors)} priors for {len(state.legal_moves)} moves")
        found.append(Evaluation(evaluation.value, normalized(evaluation.priors)))
    return found


def normalized(priors: Sequence[float]) -> Sequence[float]:
    """Priors that add up to 1. What is not a positive number counts nothing; if nothing counts, all are alike."""
    weights = [float(prior) if 0 < prior < math.inf else 0.0 for prior in priors]
    total = 0.0
    # Not sum(): later Pythons add up in another way than the native form does.
    for weight in weights:
        total += weight
    if not 0 < total < math.inf:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]

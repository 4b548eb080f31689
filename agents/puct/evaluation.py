"""Evaluators: the value of a state and the priors of its moves."""

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from agents.core.knowledge import knowledge_of
from games.base import State

__all__ = ["EVALUATORS", "Cached", "Evaluation", "Evaluator", "Heuristic", "checked_evaluations", "normalized"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of a state for the side to move, from -1 to 1, and a prior for each of its moves.

    A prior says how likely a move is the best. Priors stand in the order of `legal_moves` and need not add up to 1.
    """

    value: float
    priors: Sequence[float]


class Evaluator(Protocol):
    """Anything that can evaluate states: a heuristic, a network."""

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """One evaluation for each state; in none of them is the game over."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristic:
    """Values from what is on the board; all priors equal, or taken from the values one turn later.

    The value is the balance of the game or, with `leads`, the lead that alpha-beta counts
    (`agents/core/knowledge.py`).
    """

    leads: bool = False
    #: Priors are proportional to exp(value / look) of the states after the moves; 0 makes all priors equal.
    look: float = 0.0

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """Evaluate each state on its own."""
        return [Evaluation(self.value(state), self._priors(state)) for state in states]

    def value(self, state: State) -> float:
        """The value of a state for the side to move; a finished game is worth its result."""
        ending = state.ending
        if ending is not None:
            return 2 * ending.points(state.turn) - 1
        known = knowledge_of(state)
        if not self.leads:
            return known.balance(state, state.turn)
        lead = known.lead(state)
        return lead / (abs(lead) + known.half_win)

    def scale(self, state: State) -> float:
        """The lead with a value of one half in the game of this state; 0 if leads are not counted."""
        return knowledge_of(state).half_win if self.leads else 0.0

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


#: The values of the option `evaluator`.
EVALUATORS: Final[Mapping[str, Heuristic]] = MappingProxyType(
    {
        "material": Heuristic(),
        "look": Heuristic(look=0.1),
        "lead": Heuristic(leads=True),
        "lead_look": Heuristic(leads=True, look=0.1),
    }
)


class Cached:
    """An evaluator that remembers the evaluations of the last `size` different states."""

    def __init__(self, evaluator: Evaluator, size: int) -> None:
        self._evaluator = evaluator
        self._size = size
        self._known: OrderedDict[object, Evaluation] = OrderedDict()
        self.asked = 0
        self.hits = 0

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """The known evaluations; the evaluator gets the other states in one batch."""
        # The moves belong to the key: earlier moves may forbid some of them.
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


def checked_evaluations(evaluator: Evaluator, states: Sequence[State]) -> Sequence[Evaluation]:
    """The evaluations of some states, with priors that add up to 1; an invalid evaluation is a `ValueError`."""
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
    """Priors that add up to 1. A prior that is not a positive number counts as 0; if all are 0, all become equal."""
    weights = [float(prior) if 0 < prior < math.inf else 0.0 for prior in priors]
    total = 0.0
    # Not sum(): later versions of Python add floats in another way than the native search does.
    for weight in weights:
        total += weight
    if not 0 < total < math.inf:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]

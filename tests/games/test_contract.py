"""Every game keeps the contract, and the check catches games that do not."""

import random
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.base import BLACK, WHITE, Ending
from games.contract import ContractBroken, check
from games.othello import Othello, OthelloState


def test_every_game_keeps_the_contract(any_game):
    check(any_game, games=2, seed=1)


def test_a_game_with_a_small_turn_limit_keeps_the_contract():
    import games

    check(games.load("microchess:turns=7"), games=10)
    check(games.load("chess:turns=7"), games=3)


@dataclass(frozen=True)
class Mutant(Othello):
    """Othello with states of another class."""

    states: type[OthelloState] = OthelloState

    def position(self, text: str) -> OthelloState:
        right = Othello().position(text)
        return self.states(right.black, right.white, right.turn)


class CountsNoTurns(OthelloState):
    def forward(self, move):
        return replace(super().forward(move), turns=0)


class ChangesItself(OthelloState):
    def forward(self, move):
        after = super().forward(move)
        if self.turns == 3:
            object.__setattr__(self, "turns", 4)
        return after


class KeepsTheTurn(OthelloState):
    def forward(self, move):
        return replace(super().forward(move), turn=self.turn)


class ShufflesItsMoves(OthelloState):
    @property
    def legal_moves(self):
        return tuple(random.sample(super().legal_moves, len(super().legal_moves)))


class RepeatsAMove(OthelloState):
    @property
    def legal_moves(self):
        return super().legal_moves + super().legal_moves[:1]


class PassesForEver(OthelloState):
    @property
    def legal_moves(self):
        return super().legal_moves or ("pass",)


class MiscountsItsMoves(OthelloState):
    @property
    def legal_moves(self):
        class Longer(tuple):
            def __len__(self):
                return super().__len__() + 1

        return Longer(super().legal_moves)


class DeniesItsMoves(OthelloState):
    @property
    def legal_moves(self):
        class Denying(tuple):
            def __contains__(self, move):
                return move == self[0]

        return Denying(super().legal_moves)


class ReadsTheFirstMove(OthelloState):
    def parse(self, text):
        super().parse(text)
        return self.legal_moves[0]


class ReadsAnything(OthelloState):
    def parse(self, text):
        return text if text in self.legal_moves else "pass"


class TakesAnything(OthelloState):
    def forward(self, move):
        return super().forward(move if move in self.legal_moves else self.legal_moves[0])


class FailsOnStrangers(OthelloState):
    def forward(self, move):
        return super().forward(move.lower())


class DeniesTheEnd(OthelloState):
    def is_game_over(self):
        return False


class JudgesByWhim(OthelloState):
    def adjudicate(self):
        return Ending(None, "whim")


class SharesNoPoint(OthelloState):
    def adjudicate(self):
        class Generous(Ending):
            def points(self, color):
                return 1.0

        return Generous(WHITE, "discs")


class ForgetsWhoseMove(OthelloState):
    @property
    def text(self):
        return super().text[:-1] + "X"


class ForgetsADisc(OthelloState):
    @property
    def text(self):
        return super().text.replace("O", "-", 1) if self.turns else super().text


class CopiesTheStart(OthelloState):
    def __copy__(self):
        return CopiesTheStart(*(getattr(Othello().start(), field) for field in ("black", "white", "turn", "turns")))


class LosesACell(OthelloState):
    def view(self):
        view = super().view()
        return replace(view, cells=view.cells[1:])


class NamesTwoCellsAlike(OthelloState):
    def view(self):
        view = super().view()
        return replace(view, cells=(view.cells[1], *view.cells[1:]))


class ClicksByRow(OthelloState):
    def path(self, move):
        return (move[-1], move[0]) if move in ("d3", "f5") else (move[-1],)


class DrawsNothing(OthelloState):
    def svg(self, last=None):
        return ""


@pytest.mark.parametrize(
    ("states", "promise"),
    [
        (CountsNoTurns, "adds one to `turns`"),
        (ChangesItself, "leaves the state as it was"),
        (KeepsTheTurn, "players move in turn|second|whose move"),
        (ShufflesItsMoves, "the same"),
        (RepeatsAMove, "listed twice"),
        (PassesForEver, "until the game is over|as it was|after the end"),
        (MiscountsItsMoves, "length"),
        (DeniesItsMoves, "is `in` it"),
        (ReadsTheFirstMove, "parse reads the text"),
        (ReadsAnything, r"parse\(.*but it was accepted"),
        (TakesAnything, r"forward\(.*but it was accepted"),
        (FailsOnStrangers, r"forward\(None\) raises IllegalMove, not AttributeError"),
        (DeniesTheEnd, "is_game_over"),
        (JudgesByWhim, "agrees with the ending"),
        (SharesNoPoint, "shares one point"),
        (ForgetsWhoseMove, "whose move it is"),
        (ForgetsADisc, "allows the moves|gives a state with this text"),
        (CopiesTheStart, "a copy looks like its original"),
        (LosesACell, "one cell for each column and row"),
        (NamesTwoCellsAlike, "different names"),
        (ClicksByRow, "beginning of another one"),
        (DrawsNothing, "<svg"),
    ],
)  # fmt: skip
def test_a_broken_state_is_caught(states, promise):
    with pytest.raises(ContractBroken, match=promise):
        check(Mutant(states=states), games=3)


@dataclass(frozen=True)
class MovesWhiteFirst(Othello):
    first: Any = WHITE


@dataclass(frozen=True)
class ReadsNonsense(Othello):
    def position(self, text):
        return super().position(text) if len(text) == 66 else self.start()


@dataclass(frozen=True)
class FailsOnNonsense(Othello):
    def position(self, text):
        return super().position(text) if len(text) == 66 else [][0]


@dataclass(frozen=True)
class StartsLate(Othello):
    def start(self, seed=0):
        return replace(super().start(), turns=1)


@dataclass(frozen=True)
class StartsByLuck(Othello):
    def start(self, seed=0):
        start = Othello().start()
        return replace(start, black=start.black | random.choice([1, 2, 4]), turn=BLACK)


@dataclass(frozen=True)
class HasNoName(Othello):
    name: Any = ""


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (MovesWhiteFirst(), "`first` moves in the start position"),
        (ReadsNonsense(), r"position\(''\) raises BadPosition, but it was accepted"),
        (FailsOnNonsense(), r"position\(''\) raises BadPosition, not IndexError"),
        (StartsLate(), "no turns are made"),
        (StartsByLuck(), "the same seed gives the same start"),
        (HasNoName(), "a game has a name"),
    ],
)  # fmt: skip
def test_a_broken_game_is_caught(game, promise):
    with pytest.raises(ContractBroken, match=promise):
        check(game, games=20)


def test_an_interrupt_is_not_reported_as_a_broken_contract():
    class Interrupted(OthelloState):
        def forward(self, move):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(Mutant(states=Interrupted), games=1)

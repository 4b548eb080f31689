"""What the searches know about each game. To teach them a game, add one record to `_GAMES`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from agents.core.chess_evaluation import chess_lead
from games.base import WHITE, Color, State

__all__ = [
    "Balance", "GameKnowledge", "NativePosition", "area_lead", "cells_lead", "discs_lead", "game_of", "knowledge_of",
    "lines_lead", "material",
]  # fmt: skip

#: How far a side is ahead, from -1 to 1.
Balance: TypeAlias = Callable[[Any, Color], float]


@dataclass(frozen=True, slots=True)
class NativePosition:
    """A state as the native searches read it: a game with its parameters, a position and the moves made since.

    Where the rules need them, also the boards that may not be repeated, and the number of turns already played.
    """

    game: str
    parameters: Mapping[str, float]
    text: str
    moves: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    turns: int = 0


def _even(_state: Any, _color: Color) -> float:
    return 0.0


def _no_lead(_state: Any) -> int:
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKnowledge:
    """What the searches know about one game. The defaults know nothing and suit every game."""

    #: How far a side is ahead, from -1 to 1, as if the game were not over.
    balance: Balance = _even
    #: How far the side to move is ahead, in whole numbers. Alpha-beta uses it where the game goes on.
    lead: Callable[[Any], int] = _no_lead
    #: The lead that PUCT counts as half a win.
    half_win: float = 1.0
    #: Writes a state for the native searches; None if they do not play the game.
    native_position: Callable[[Any], NativePosition] | None = None
    #: UCT evaluates the state after this many turns; 0 plays random moves to the end of the game.
    uct_depth: int = 0
    #: The evaluator of PUCT (see `agents/puct/evaluation.py`), and how much PUCT explores.
    puct_evaluator: str = "look"
    puct_c: float = 1.0


def knowledge_of(state: State) -> GameKnowledge:
    """The record of the game that this state belongs to; a neutral record for an unknown game."""
    kind = type(state)
    found = _BY_CLASS.get(kind)
    if found is None:
        found = _BY_CLASS[kind] = _search_bases(kind)
    return found


def game_of(state: State, *, own: bool = False) -> str:
    """The name of the bundled game that this state belongs to; empty for other games.

    With `own`, a class that is derived from a bundled one belongs to another game: it may change the rules.
    """
    bases = type(state).__mro__[:1] if own else type(state).__mro__
    known = (base.__module__ for base in bases if base.__module__ in _GAMES)
    return next(known, "").removeprefix("games.")


def _search_bases(kind: type) -> GameKnowledge:
    for base in kind.__mro__:
        found = _GAMES.get(base.__module__)
        if found is not None:
            # A class that is defined elsewhere may change the rules, and the native searches would not know it.
            return found if base.__module__ == kind.__module__ else replace(found, native_position=None)
    return GameKnowledge()


def _for_white(count: Callable[[Any], int]) -> Callable[[Any], int]:
    """Turn White's lead into the lead of the side to move."""
    return lambda state: count(state) if state.turn == WHITE else -count(state)


def _signed(lead: int, color: Color) -> int:
    return lead if color == WHITE else -lead


def _without_history(game: str) -> Callable[[Any], NativePosition]:
    return lambda state: NativePosition(game, {}, state.text)


# Chess and microchess


def material(board: Any, color: Color) -> int:
    """Sum of K 4, Q 10, R 5, B 3, N 3, P 1 over the pieces of a side."""
    side = board.occupied_co[color]
    value: int = (
        (board.pawns & side).bit_count()
        + 3 * ((board.knights | board.bishops) & side).bit_count()
        + 5 * (board.rooks & side).bit_count()
        + 10 * (board.queens & side).bit_count()
        + 4 * (board.kings & side).bit_count()
    )
    return value


def _chess_balance(board: Any, color: Color) -> float:
    # Kings count in chess and in microchess: even against a bare king, the other side stays just short of a win.
    mine, theirs = material(board, color), material(board, not color)
    return (mine - theirs) / (mine + theirs)


def _chess_lead(board: Any) -> int:
    # Each legal move counts a hundredth of a pawn.
    mine, theirs = material(board, board.turn), material(board, not board.turn)
    return 100 * (mine - theirs) + len(board.legal_moves)


def _board_position(game: str) -> Callable[[Any], NativePosition]:
    def write(state: Any) -> NativePosition:
        # Repetitions count, so the native search needs the whole game.
        moves, root = tuple(move.uci() for move in state.move_stack), state.root() if state.move_stack else state
        if game == "chess" and state.chess960 and not root.copy().has_chess960_castling_rights():
            raise ValueError("the text does not say that this is Chess960")
        return NativePosition(game, {"limit": state.turn_limit}, root.text, moves)

    return write


# Othello


def discs_lead(state: Any) -> int:
    """White's discs minus Black's discs."""
    lead: int = state.white.bit_count() - state.black.bit_count()
    return lead


def _othello_balance(state: Any, color: Color) -> float:
    return _signed(discs_lead(state), color) / 64


def _othello_lead(state: Any) -> int:
    passed = type(state)(state.black, state.white, not state.turn)
    return _signed(discs_lead(state), state.turn) + 10 * (_squares(state) - _squares(passed))


def _squares(state: Any) -> int:
    """The number of squares that the side to move can take."""
    return sum(move != "pass" for move in state.legal_moves)


# Gomoku

#: What the first, the second, … stone adds to a line: lines are worth 1, 6, 36, 216 and 1296.
_STONES: Final = (1, 5, 30, 180, 1080)


def lines_lead(state: Any) -> int:
    """White's lead in lines of five that hold stones of one colour; each stone makes a line six times as valuable."""
    board, black, white = state.board, state.black, state.white
    lead = 0
    for step in (1, board.stride - 1, board.stride, board.stride + 1):
        shifts = [place * step for place in range(5)]
        room = board.whole
        for shift in shifts:
            room &= board.whole >> shift
        for own, other, sign in ((white, black, 1), (black, white, -1)):
            lines = room
            for shift in shifts:
                lines &= ~(other >> shift)
            lead += sign * _lines_value(lines, [own >> shift for shift in shifts])
    return lead


def _lines_value(lines: int, places: list[int]) -> int:
    """The value of these lines; each of the sets in `places` holds one point of every line."""
    reached = [lines, 0, 0, 0, 0, 0]  # index n: lines with at least n stones
    for place in places:
        for stones in range(5, 0, -1):
            reached[stones] |= reached[stones - 1] & place
    return sum(value * found.bit_count() for value, found in zip(_STONES, reached[1:], strict=True))


def _gomoku_balance(state: Any, color: Color) -> float:
    lead = _signed(lines_lead(state), color)
    return lead / (abs(lead) + 1000)


# Mushroom


def cells_lead(state: Any) -> int:
    """White's cells minus Black's cells."""
    rows = "".join(state.rows)
    return rows.count("A") - rows.count("B")


def _mushroom_balance(state: Any, color: Color) -> float:
    return _signed(cells_lead(state), color) / (len(state.rows) * len(state.rows[0]) + 1)


# Go


def area_lead(state: Any) -> int:
    """White's area and komi minus Black's area, in half points."""
    from games._go import area

    black, white = state.stones
    lead = area(state.board, own=white, other=black) - area(state.board, own=black, other=white)
    komi: float = state.komi
    return round(2 * (lead + komi))


def _go_balance(state: Any, color: Color) -> float:
    half_points: float = 2 * (len(state.board.points) + abs(state.komi) + 1)
    return _signed(area_lead(state), color) / half_points


def _go_position(state: Any) -> NativePosition:
    seen = tuple(f"{black:x} {white:x}" for black, white in state.seen)
    parameters = {"limit": state.limit, "komi": state.komi, "suicide": state.suicide}
    return NativePosition("go", parameters, state.text, seen=seen, turns=state.turns)


_CHESS: Final = GameKnowledge(balance=_chess_balance, lead=_chess_lead, half_win=500.0, uct_depth=6)

#: By the module that defines the class of the state or a base class. Module names instead of classes, because an agent
#: should not load the rules of games that it does not play.
_GAMES: Final[Mapping[str, GameKnowledge]] = {
    "chess": _CHESS,
    "games.chess": replace(_CHESS, lead=chess_lead, native_position=_board_position("chess")),
    "games.microchess": replace(_CHESS, native_position=_board_position("microchess")),
    "games.go": GameKnowledge(
        balance=_go_balance, lead=_for_white(area_lead), half_win=20.0, native_position=_go_position
    ),
    # Lines of stones differ so much that PUCT needs to explore little.
    "games.gomoku": GameKnowledge(
        balance=_gomoku_balance, lead=_for_white(lines_lead), half_win=1000.0,
        native_position=_without_history("gomoku"), uct_depth=6, puct_evaluator="lead_look", puct_c=0.4,
    ),
    "games.mushroom": GameKnowledge(
        balance=_mushroom_balance, lead=_for_white(cells_lead), half_win=10.0,
        native_position=_without_history("mushroom"), uct_depth=6,
    ),
    # Discs say little before the end of Othello; the number of moves says more.
    "games.othello": GameKnowledge(
        balance=_othello_balance, lead=_othello_lead, half_win=100.0,
        native_position=_without_history("othello"), puct_evaluator="lead_look",
    ),
}  # fmt: skip

#: The records of the classes seen so far: a search asks at every leaf.
_BY_CLASS: Final[dict[type, GameKnowledge]] = {}

"""Forced wins: every move of the winner is a threat that leaves the opponent few answers."""

from collections.abc import Callable
from typing import Final, TypeAlias

from agents.gomoku.threats import Threats, points
from games.base import BLACK, WHITE, Color
from games.errors import ArenaError

__all__ = ["Failed", "Forcing"]

_DEEPEST: Final = 16
_MOST_FAILED: Final = 1 << 18

#: The number of threats that did not win, by the stones, the side to move, and whether threes were allowed.
Failed: TypeAlias = dict[tuple[int, int, Color, bool], int]


class _Spent(ArenaError):
    """No nodes are left for this attempt."""


class Forcing:
    """Looks for forced wins of the side to move, and stores positions without one in `failed`.

    `visit` is called at every node and may raise to end the whole search.
    """

    def __init__(self, board: Threats, visit: Callable[[], None], failed: Failed) -> None:
        self._board = board
        self._visit = visit
        self._failed = failed
        self._left = 0
        self._threes = False

    def by_fours(self, *, nodes: int, depth: int = _DEEPEST) -> list[int]:
        """A winning line to the five in which each move of the winner makes a four; empty if none was found."""
        return self._attempt(nodes, depth, threes=False)

    def by_threes(self, *, nodes: int, depth: int) -> list[int]:
        """The same with fours and open threes: the line against the longest defence."""
        return self._attempt(nodes, depth, threes=True)

    def _attempt(self, nodes: int, depth: int, *, threes: bool) -> list[int]:
        self._left = nodes
        self._threes = threes
        turn, stones = self._board.turn, self._board.stones[:]
        try:
            return self._attack(depth)
        except _Spent:
            self._clear(turn, stones)
            return []

    def _clear(self, turn: Color, stones: list[int]) -> None:
        """Remove the stones of an attempt that ran out of nodes."""
        board = self._board
        for color in (BLACK, WHITE):
            for point in points(board.stones[color] ^ stones[color]):
                board.turn = not color
                board.lift(point)
        board.turn = turn

    def _attack(self, depth: int) -> list[int]:
        """The winning line of the side to move, with at most `depth` threats."""
        self._visit()
        self._left -= 1
        if self._left < 0:
            raise _Spent
        board, own, other = self._board, self._board.turn, not self._board.turn
        if board.fives[own]:
            return [_lowest(board.fives[own])]
        forced = board.fives[other]
        if forced & forced - 1:
            return []
        allowed = forced or board.open
        if board.wins[own] & allowed:
            return self._two_ways(_lowest(board.wins[own] & allowed))
        key = (board.stones[BLACK], board.stones[WHITE], own, self._threes)
        if not depth or self._failed.get(key, 0) >= depth:
            return []
        for point in self._attempts(forced):
            if line := self._threat(point, depth):
                return line
        if len(self._failed) >= _MOST_FAILED:
            self._failed.clear()
        self._failed[key] = depth
        return []

    def _two_ways(self, point: int) -> list[int]:
        board = self._board
        own = board.turn
        board.put(point)
        first, second, *_ = points(board.fives[own])
        board.lift(point)
        return [point, first, second]

    def _attempts(self, forced: int) -> list[int]:
        """The moves that may be threats, fours first; if a five must be stopped, only that move."""
        board, own = self._board, self._board.turn
        if forced:
            # With threes allowed the answer need not be a threat: an older threat may still stand.
            return list(points(forced if self._threes else forced & board.fours[own]))
        found = self._ordered(board.fours[own])
        return found + self._ordered(board.threes[own]) if self._threes else found

    def _ordered(self, bits: int) -> list[int]:
        values = self._board.values[self._board.turn]
        return sorted(points(bits), key=lambda point: -values[point])

    def _threat(self, point: int, depth: int) -> list[int]:
        """The winning line that starts with this move; empty if it is not a threat or an answer stops it."""
        board, own = self._board, self._board.turn
        board.put(point)
        longest: list[int] = []
        for answer in points(self._answers(own)):
            board.put(answer)
            line = self._attack(depth - 1)
            board.lift(answer)
            if not line:
                longest = []
                break
            if len(line) >= len(longest):
                longest = [answer, *line]
        board.lift(point)
        return [point, *longest] if longest else []

    def _answers(self, attacker: Color) -> int:
        board = self._board
        if board.fives[attacker]:
            return board.fives[attacker]
        if not board.wins[attacker]:
            return 0
        # Where no answer helps, any move will do.
        return board.answers() or board.open & -board.open


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1

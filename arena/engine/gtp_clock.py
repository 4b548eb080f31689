"""The clocks of GTP: main time, then so many stones in each period of Canadian byo-yomi."""

from agents.seat import Times
from arena.engine.desk import LEAST_SECONDS
from games.base import BLACK, WHITE, Color

__all__ = ["GtpClock"]


class GtpClock:
    """What both sides have left, as far as we were told; counted on by us until we are told again."""

    def __init__(self) -> None:
        self._settings: tuple[float, float] | None = None
        self._left: dict[Color, float] = {}

    def set(self, main: int, period: int, stones: int) -> None:
        """The settings of a game; a period without stones means that there is no limit."""
        no_limit = (period > 0 and stones == 0) or not (main or period)
        self._settings = None if no_limit else (float(main), period / stones if stones else 0.0)
        self.restart()

    def restart(self) -> None:
        """A new game."""
        self._left = {} if self._settings is None else dict.fromkeys((BLACK, WHITE), self._settings[0])

    def tell(self, color: Color, seconds: float) -> None:
        """What one side has left."""
        self._left[color] = seconds

    def charge(self, color: Color, seconds: float) -> None:
        """Take what a move took."""
        if color in self._left:
            self._left[color] = max(0.0, self._left[color] - seconds)

    def times(self, color: Color) -> Times | None:
        """What the agent is told; None if there is no limit."""
        if color not in self._left:
            return None
        own = self._seconds(color)
        opponent = self._seconds(not color) if (not color) in self._left else own
        return Times(own=own, opponent=opponent, opponent_last_move=0.0)

    def _seconds(self, color: Color) -> float:
        a_stone = self._settings[1] if self._settings is not None else 0.0
        return max(LEAST_SECONDS, a_stone, self._left.get(color, 0.0))

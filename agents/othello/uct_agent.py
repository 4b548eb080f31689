"""UCT for Othello with playouts of every kind, and RAVE."""

from agents.core.engine import Engine
from agents.options import number, one_of
from agents.othello.player import OthelloPlayer
from agents.othello.uct import PLAYOUTS, NativeOthelloUct, OthelloUctSettings, PythonOthelloUct
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloUCTAgent"]


class OthelloUCTAgent(OthelloPlayer):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    `playout` says how a simulation goes on below the tree: `random` moves; `light`, moves drawn by the weights of
    map B; `heavy`, a search of two turns for every move; `adaptive`, ten moves by a search of one turn, then random
    moves; `combined`, ten moves by a search of one turn, then light ones. `rave` is the number of visits up to which a
    move is judged mainly by simulations in which it was made later; 300 is a good start, 0 turns RAVE off.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        playout: str = "random", c: float = 1.4, rave: float = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds)
        self.settings = OthelloUctSettings(
            playout=one_of("playout", playout, {name: name for name in PLAYOUTS}),
            c=number("c", c, least=0),
            rave=number("rave", rave, least=0),
        )

    def engine(self, state: OthelloState) -> Engine:
        """The native search where it can play, else the search in Python."""
        native = self.native_for(state)
        if native is None:
            return PythonOthelloUct(self.settings, now=self.now)
        return NativeOthelloUct(native, self.settings)

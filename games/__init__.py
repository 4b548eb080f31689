"""The rules of the games: legal moves, endings, winners. No clocks, no files, no logging."""

from games._live import live
from games.base import BLACK, WHITE, Color, Ending, Game, Move, State, load, names

__all__ = ["BLACK", "WHITE", "Color", "Ending", "Game", "Move", "State", "live", "load", "names"]

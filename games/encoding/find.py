"""The encoding of a game: bundled, or brought along by a game from outside the repository."""

import importlib
import sys
from typing import Final, cast

from games._live import kernel
from games.base import Game
from games.encoding.base import Encoding
from games.errors import NoEncoding

__all__ = ["of"]

#: The modules of this package by the names of the bundled games.
_MODULES: Final = {
    "chess": "chess_games",
    "go": "go",
    "gomoku": "cell_games",
    "microchess": "chess_games",
    "mushroom": "mushroom",
    "othello": "cell_games",
}


def of(game: Game, *, native: bool = True) -> Encoding:
    """The encoding of a game; without `native` it never uses the kernel. Raises `NoEncoding` if there is none.

    A game from outside the repository has an attribute `encoding`, or its module has a function `encoding(game)`.

    >>> import games
    >>> go = of(games.load("go:size=9"))
    >>> go.planes, go.height, go.width, go.scalars, go.actions
    (7, 9, 9, 4, 82)
    """
    module = type(game).__module__
    if game.name in _MODULES and module == f"games.{game.name}":
        found = importlib.import_module(f"games.encoding.{_MODULES[game.name]}")
        encoding = getattr(found, f"{game.name.capitalize()}Encoding")
        return cast(Encoding, encoding(game, kernel(game.name) if native else None))
    brought = getattr(game, "encoding", None)
    if brought is not None:
        return cast(Encoding, brought)
    make = getattr(sys.modules.get(module), "encoding", None)
    if make is None:
        raise NoEncoding(f"the game {game.name} has no encoding; define a function encoding(game) in its module")
    return cast(Encoding, make(game))

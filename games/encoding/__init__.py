"""Positions as numbers, for learners: `of(game)` gives inputs for a network, an index for every move, and symmetries.

Nothing outside this package needs numpy, so `import games` does not import it.
"""

from games.encoding.base import BaseEncoding, Encoding, Shape, Symmetry
from games.encoding.find import of

__all__ = ["BaseEncoding", "Encoding", "Shape", "Symmetry", "of"]

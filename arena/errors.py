"""The exception tree.

ArenaError                  games.errors; its text is one line for a person
├── IllegalMove             games.errors
├── BadPosition             games.errors      exit 2
├── BadParameters           games.errors      exit 2
├── UnknownGame             games.errors      exit 2
├── Fault                   agents.seat       a player's: it loses the game
├── Late, Ended             agents.seat       a channel's
├── NoAgent                 agents.child      only inside a player's process
├── StoreError              results.errors    exit 1
├── NotationError           results.errors    exit 2
│   └── PgnError            results.errors    exit 2
├── EngineMissing           stockfish_bridge  exit 2
├── BrokenPosition          stockfish_bridge  ours: such a position must not reach an engine; the game is void
├── NoMove                  arena.engine     exit 1 where the other program cannot be told
├── UnknownAgent            here              exit 2
├── BadSettings             here              exit 2
├── OutputError             here              exit 1
├── MeasureFailed           arena.studies.measure  exit 1
└── Void                    here              ours: the game is replayed
    └── Starved             here              the machine withheld the CPU until past every limit
"""

from games.errors import ArenaError

__all__ = ["BadSettings", "OutputError", "Starved", "UnknownAgent", "Void"]


class UnknownAgent(ArenaError):
    """An agent that cannot be found, read or staged."""


class BadSettings(ArenaError):
    """Settings that make no league, or not the league that is stored."""


class OutputError(ArenaError):
    """What we say cannot be written."""


class Void(ArenaError):
    """A failure of ours: the game counts for nobody and is played again."""


class Starved(Void):
    """The machine withheld the CPU from a player until past the wall-clock limit behind its budget."""

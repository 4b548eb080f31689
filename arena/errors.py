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
├── PgnError                results.errors    exit 2
├── UnknownAgent            here              exit 2
├── BadSettings             here              exit 2
└── Void                    here              ours: the game is replayed
"""

from games.errors import ArenaError

__all__ = ["BadSettings", "UnknownAgent", "Void"]


class UnknownAgent(ArenaError):
    """An agent that cannot be found, read or staged."""


class BadSettings(ArenaError):
    """Settings that make no league, or not the league that is stored."""


class Void(ArenaError):
    """A failure of ours: the game counts for nobody and is played again."""

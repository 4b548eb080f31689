"""The exceptions of all packages, in one tree. The text of each is one line for a person.

The number is the exit code of `arena` when the exception ends a command, which prints `arena: text`. Exceptions without
a number are always handled: a fault, for example, is the result of a game. Private exceptions (their names start with
an underscore) stay inside one module and are not listed.

ArenaError              games.errors                2
├── IllegalMove         games.errors                2  a move that is not legal in a position
├── BadPosition         games.errors                2
├── BadParameters       games.errors                2
├── UnknownGame         games.errors                2
├── NoEncoding          games.errors                2  a game that nothing can learn
├── ContractBroken      games.contract              2  a game outside the repository breaks the contract of games
├── Fault               agents.seat                 -  a player broke a rule: it loses the game
├── FromPerson          arena.referee.referee       -  what a person wants instead of a move
│   ├── Resigned        arena.referee.referee       -  a person gives the game up
│   └── TakenBack       arena.referee.referee       -  a person takes its last move back
├── Late                agents.seat                 -  a child process did not answer before the deadline
├── Ended               agents.seat                 -  a child process has ended
├── NoAgent             agents.child                -  only inside a player's process
├── OutOfTime           agents.budget               -  only inside a searching agent
├── BadRecipe           agents.self_learning.errors 2  a recipe or a setting of a training run
├── BadWeights          agents.self_learning.value_weights -  only inside a searching agent
├── TrainingError       agents.self_learning.errors -  only inside a learning process
├── GtpFailure          agents.external.gtp_syntax  -  the failure reply to a GTP command
├── NBoardError         agents.external.nboard_syntax -  a line that does not follow NBoard's protocol
├── StoreError          results.errors              1  a results file that cannot be read or written
│   ├── NoResults       results.errors              1
│   ├── ForeignFile     results.errors              1
│   ├── NewerFile       results.errors              1
│   ├── Damaged         results.errors              1
│   ├── Locked          results.errors              1
│   ├── ReadOnly        results.errors              1
│   ├── DiskFull        results.errors              1
│   ├── LeagueExists    results.errors              1
│   ├── NoLeague        results.errors              1
│   ├── BadEntrants     results.errors              1
│   ├── AlreadyStored   results.errors              1
│   └── NoRecord        results.errors              1
├── NotationError       results.errors              2  a game that has no such notation, or text that cannot be read
│   └── PgnError        results.errors              2
├── EngineMissing       stockfish_bridge.errors     2
├── BrokenPosition      stockfish_bridge.errors     -  our error: a position that no engine may be sent; void
├── UnknownAgent        arena.errors                2
├── BadSettings         arena.errors                2
├── OutputError         arena.errors                1
├── TrainingFailed      arena.errors                1  a training run could not go on
├── CheckFailed         arena.competition.check     1  a submitted agent broke a rule
├── NoMove              arena.engine.session        1  an agent served to another program gave no move
├── MeasureFailed       arena.studies.measure       1
└── Void                arena.errors                1  our failure: the game does not count and is played again
    └── Starved         arena.errors                1  the machine gave a player no CPU until past every limit
"""

from games.errors import ArenaError

__all__ = ["BadSettings", "OutputError", "Starved", "TrainingFailed", "UnknownAgent", "Void"]


class UnknownAgent(ArenaError):
    """An agent that cannot be found, read or staged."""


class BadSettings(ArenaError):
    """Settings that are wrong, or that differ from those of the stored league."""


class OutputError(ArenaError):
    """The output cannot be written."""


class TrainingFailed(ArenaError):
    """A training run could not go on; what it had learned is stored."""


class Void(ArenaError):
    """A failure of ours: the game does not count and is played again."""


class Starved(Void):
    """The machine gave a player no CPU until past the wall-clock limit behind its budget."""

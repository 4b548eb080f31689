"""Gomocup (piskvork) server: an agent as a brain for Gomoku without restrictions."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from agents.external.gomocup_syntax import (
    LIMITS,
    OPPONENT,
    OWN,
    RULE,
    About,
    Stone,
    read_number,
    read_point,
    split_line,
)
from agents.seat import Times
from arena.engine.server import EngineInfo, Server
from arena.engine.session import AgentSession, GameLine, times_of
from games.base import Game, load
from games.errors import ArenaError, IllegalMove, UnknownGame
from results.text import plain

__all__ = ["GomocupServer"]

#: The time for a move if the manager asks for a move as fast as possible (a turn of 0 ms).
_FAST_SECONDS: Final = 0.5


class _Failure(ArenaError):
    """A command that fails; the text becomes the text of the `ERROR` reply."""


class GomocupServer(Server):
    """Answers a Gomocup manager."""

    games: ClassVar[tuple[str, ...]] = ("gomoku",)

    def __init__(self, session: AgentSession, game: Game, info: EngineInfo) -> None:
        super().__init__(session, game, info)
        self._line: GameLine | None = None
        self._stones: list[Stone] | None = None  # the stones of the BOARD command that is being read
        self._limits: dict[str, int] = {}
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._board,
            "INFO": self._info,
            "TAKEBACK": self._takeback,
            "ABOUT": self._about,
            "END": self._end,
        }

    def is_quit(self, line: str) -> bool:
        """`END` is obeyed at once."""
        return line.upper() == "END"

    def reply(self, line: str) -> Iterator[str]:
        """The replies to one line."""
        if not line:
            return
        name, rest = split_line(line)
        try:
            if self._stones is not None and name != "END":
                yield from self._stone(line)
            elif (command := self._commands.get(name)) is not None:
                yield from command(rest)
            else:
                yield f"UNKNOWN {plain(line.partition(' ')[0], limit=60)}"
        except IllegalMove:
            yield "ERROR illegal move"
        except ArenaError as error:
            yield f"ERROR {plain(str(error), limit=300)}"

    def _start(self, rest: str) -> Iterator[str]:
        size = read_number(rest)
        if size is None:
            raise _Failure("START needs the size of the board")
        try:
            game = load(f"gomoku:size={size}")
        except UnknownGame:
            raise _Failure("unsupported size; the board can have 5 to 20 lines") from None
        self.game = game
        yield from self._restart("")

    def _rectstart(self, _rest: str) -> Iterator[str]:
        raise _Failure("only square boards are supported: send START and a size")

    def _restart(self, _rest: str) -> Iterator[str]:
        self._line = GameLine.begin(self.game)
        self.session.close()
        yield "OK"

    def _begin(self, _rest: str) -> Iterator[str]:
        if self._current().moves:
            raise _Failure("the game has already begun; send RESTART first")
        yield self._move(self._current())

    def _turn(self, rest: str) -> Iterator[str]:
        yield self._move(self._current().forward(_point(rest)))

    def _board(self, _rest: str) -> Iterator[str]:
        self._current()
        self._stones = []
        return iter(())

    def _stone(self, line: str) -> Iterator[str]:
        """Read one stone of a BOARD command, or its end."""
        stones = self._stones
        assert stones is not None
        if line.upper() == "DONE":
            self._stones = None
            yield self._move(_game_with(self.game, stones))
        elif (stone := Stone.read(line)) is None:
            self._stones = None
            raise _Failure("BOARD expects lines x,y,1 or x,y,2, then DONE")
        elif stone.owner in (OWN, OPPONENT):
            stones.append(stone)

    def _info(self, rest: str) -> Iterator[str]:
        key, _, text = rest.partition(" ")
        value = text.strip()
        milliseconds = read_number(value)
        if key in LIMITS and milliseconds is not None:
            self._limits[key] = milliseconds
        if key == "rule" and value != RULE:
            yield "MESSAGE only rule 0 is supported: five or more in a row win"

    def _takeback(self, rest: str) -> Iterator[str]:
        line = self._current()
        if not line.moves or line.moves[-1] != _point(rest):
            raise _Failure("that is not the last move")
        self._line = GameLine.begin(line.game, line.start, line.moves[:-1])
        yield "OK"

    def _about(self, _rest: str) -> Iterator[str]:
        yield str(About(f"arena {self.info.agent}", self.info.version))

    def _end(self, _rest: str) -> Iterator[str]:
        self.is_over = True
        return iter(())

    def _current(self) -> GameLine:
        if self._line is None:
            raise _Failure("no board yet; send START and a size")
        return self._line

    def _move(self, line: GameLine) -> str:
        """The agent's move in this game. The game continues with it."""
        self._line = line
        move = self.session.move(line, self._times())
        self._line = line.forward(move)
        return move

    def _times(self) -> Times | None:
        """The smallest of the manager's limits; None if it has sent no limit."""
        limits = []
        if "timeout_turn" in self._limits:
            limits.append(self._limits["timeout_turn"] / 1000 or _FAST_SECONDS)
        match_limit = self._limits.get("timeout_match", 0)  # 0: the match has no limit, whatever time_left says
        if match_limit:
            limits.append(self._limits.get("time_left", match_limit) / 1000)
        elif "time_left" in self._limits and "timeout_match" not in self._limits:
            limits.append(self._limits["time_left"] / 1000)
        return times_of(min(limits)) if limits else None


def _point(text: str) -> str:
    point = read_point(text)
    if point is None:
        raise _Failure("expected a move in the form x,y")
    return point


def _game_with(game: Game, stones: Sequence[Stone]) -> GameLine:
    """The game with these stones: move by move if their order allows it, else a position with us to move."""
    own = sum(stone.owner == OWN for stone in stones)
    is_first = 2 * own >= len(stones)
    order = [OWN, OPPONENT] if is_first else [OPPONENT, OWN]
    line = GameLine.begin(game)
    if [stone.owner for stone in stones] == [order[index % 2] for index in range(len(stones))]:
        line = GameLine.begin(game, moves=(stone.point for stone in stones))
        if (line.state.turn == game.first) == is_first:
            return line
    owners = {stone.point: stone.owner for stone in stones}
    if len(owners) < len(stones) or not {*owners} <= {*map(str, game.start().legal_moves)}:
        raise _Failure("two stones on one point, or a stone outside the board")
    symbols = {point: "X" if (owner == OWN) == is_first else "O" for point, owner in owners.items()}
    size = int(game.parameters["size"])
    rows = ("".join(symbols.get(f"{x},{y}", ".") for x in range(size)) for y in range(size))
    return GameLine.begin(game, f"{'/'.join(rows)} {'X' if is_first else 'O'}")

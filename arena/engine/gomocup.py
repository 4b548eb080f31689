"""The protocol of Gomocup (piskvork), spoken as a brain: Gomoku without restrictions."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from agents.seat import Times
from arena.engine.desk import LEAST_SECONDS, Desk
from arena.engine.line import Line
from arena.engine.title import Title
from games.base import Game, load
from games.errors import ArenaError, IllegalMove, UnknownGame
from results.text import plain

__all__ = ["GomocupServer"]

_POINT: Final = re.compile(r"([0-9]{1,2})\s*,\s*([0-9]{1,2})")
_STONE: Final = re.compile(r"([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*,\s*([123])")
_NUMBER: Final = re.compile(r"[0-9]{1,12}")
_OWN, _OTHER = "1", "2"
#: What "as fast as you can" (a turn of 0 ms) means for an agent.
_FAST_SECONDS: Final = 0.5
_TIMES: Final = ("timeout_turn", "timeout_match", "time_left")


class _Refused(ArenaError):
    """What stands behind an ERROR."""


class GomocupServer:
    """Answers a manager of Gomoku games."""

    games: ClassVar[tuple[str, ...]] = ("gomoku",)

    def __init__(self, desk: Desk, game: Game, title: Title) -> None:
        self.is_over = False
        self._desk = desk
        self._title = title
        self._game = game
        self._line: Line | None = None
        self._stones: list[tuple[str, str]] | None = None  # those of a BOARD that is being told: whose, where
        self._told: dict[str, int] = {}
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

    def hang_up(self) -> None:
        """What was asked is answered all the same."""

    def ends(self, line: str) -> bool:
        """`END` waits for nobody."""
        return line.upper() == "END"

    def hear(self, line: str) -> Sequence[str] | None:  # noqa: ARG002 - the contract's
        """Nothing is answered out of turn."""
        return None

    def handle(self, line: str) -> Iterator[str]:
        """The answers to one line."""
        if not line:
            return
        word, _, rest = line.partition(" ")
        try:
            if self._stones is not None and word.upper() != "END":
                yield from self._stone(line)
            elif (command := self._commands.get(word.upper())) is not None:
                yield from command(rest.strip())
            else:
                yield f"UNKNOWN {plain(word, limit=60)}"
        except IllegalMove:
            yield "ERROR no such move here"
        except ArenaError as error:
            yield f"ERROR {plain(str(error), limit=300)}"

    def _start(self, rest: str) -> Iterator[str]:
        if not _NUMBER.fullmatch(rest):
            raise _Refused("START needs the size of the board")
        try:
            game = load(f"gomoku:size={int(rest)}")
        except UnknownGame:
            raise _Refused("unsupported size; there are 5 to 19") from None
        self._game = game
        yield from self._restart("")

    def _rectstart(self, _rest: str) -> Iterator[str]:
        raise _Refused("only square boards are supported: START and a size")

    def _restart(self, _rest: str) -> Iterator[str]:
        self._line = Line.begun(self._game)
        self._desk.leave()
        yield "OK"

    def _begin(self, _rest: str) -> Iterator[str]:
        if self._known().moves:
            raise _Refused("the game has begun; RESTART first")
        yield self._moved(self._known())

    def _turn(self, rest: str) -> Iterator[str]:
        yield self._moved(self._known().forward(_point(rest)))

    def _board(self, _rest: str) -> Iterator[str]:
        self._known()
        self._stones = []
        return iter(())

    def _stone(self, line: str) -> Iterator[str]:
        """One stone of a BOARD, or its end."""
        stones = self._stones
        assert stones is not None
        if line.upper() == "DONE":
            self._stones = None
            yield self._moved(_set_up(self._game, stones))
        elif (found := _STONE.fullmatch(line)) is None:
            self._stones = None
            raise _Refused("a BOARD is told in lines x,y,1 or x,y,2 and DONE")
        elif found[3] in (_OWN, _OTHER):
            stones.append((found[3], f"{int(found[1])},{int(found[2])}"))

    def _info(self, rest: str) -> Iterator[str]:
        key, _, value = rest.partition(" ")
        if key in _TIMES and _NUMBER.fullmatch(value.strip()):
            self._told[key] = int(value)
        if key == "rule" and value.strip() != "0":
            yield "MESSAGE only rule 0 is known here: five or more in a line win"

    def _takeback(self, rest: str) -> Iterator[str]:
        line = self._known()
        if not line.moves or line.moves[-1] != _point(rest):
            raise _Refused("that is not the last move")
        shorter = Line.begun(line.game, line.start)
        for move in line.moves[:-1]:
            shorter = shorter.forward(move)
        self._line = shorter
        yield "OK"

    def _about(self, _rest: str) -> Iterator[str]:
        agent = self._title.agent.replace('"', "'")
        yield f'name="arena {agent}", version="{self._title.version}"'

    def _end(self, _rest: str) -> Iterator[str]:
        self.is_over = True
        return iter(())

    def _known(self) -> Line:
        if self._line is None:
            raise _Refused("no board yet: START and a size")
        return self._line

    def _moved(self, line: Line) -> str:
        """The agent's move in this game, which goes on with it."""
        self._line = line
        move = self._desk.move(line, self._times())
        self._line = line.forward(move)
        return move

    def _times(self) -> Times | None:
        """The least of what the manager told, in seconds; None if it told nothing."""
        limits = []
        if "timeout_turn" in self._told:
            limits.append(self._told["timeout_turn"] / 1000 or _FAST_SECONDS)
        whole = self._told.get("timeout_match", 0)  # 0: the match has no limit, whatever is left of it
        if whole:
            limits.append(self._told.get("time_left", whole) / 1000)
        elif "time_left" in self._told and "timeout_match" not in self._told:
            limits.append(self._told["time_left"] / 1000)
        if not limits:
            return None
        own = max(LEAST_SECONDS, min(limits))
        return Times(own=own, opponent=own, opponent_last_move=0.0)


def _point(text: str) -> str:
    found = _POINT.fullmatch(text)
    if found is None:
        raise _Refused("a move is written x,y")
    return f"{int(found[1])},{int(found[2])}"


def _set_up(game: Game, stones: list[tuple[str, str]]) -> Line:
    """The game behind a told board: move by move if its order says so, else a position with us to move."""
    own = sum(whose == _OWN for whose, _ in stones)
    is_first = 2 * own >= len(stones)
    order = [_OWN, _OTHER] if is_first else [_OTHER, _OWN]
    line = Line.begun(game)
    if [whose for whose, _ in stones] == [order[index % 2] for index in range(len(stones))]:
        for _, point in stones:
            line = line.forward(point)
        if (line.state.turn == game.first) == is_first:
            return line
    places = {point: whose for whose, point in stones}
    if len(places) < len(stones) or not {*places} <= {*map(str, line.game.start().legal_moves)}:
        raise _Refused("two stones on one point, or one beside the board")
    symbols = {_OWN: "X" if is_first else "O", _OTHER: "O" if is_first else "X", "": "."}
    size = int(game.parameters["size"])
    rows = ("".join(symbols[places.get(f"{x},{y}", "")] for x in range(size)) for y in range(size))
    return Line.begun(game, f"{'/'.join(rows)} {'X' if is_first else 'O'}")

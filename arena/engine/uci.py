"""UCI server: an agent as an engine for chess and microchess."""

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from agents.base import Limits
from agents.seat import Times
from arena.engine.server import EngineInfo, Server
from arena.engine.session import AgentSession, GameLine, NoMove, times_of
from arena.referee.reports import AgentReport
from games.base import WHITE, Color, Game, load
from games.errors import ArenaError
from results.text import plain
from stockfish_bridge.uci_syntax import (
    MICROCHESS_VARIANTS,
    VARIANT_OPTION,
    Go,
    Option,
    Position,
    SearchInfo,
    SetOption,
    bestmove_line,
    info_line,
    name_line,
    split_command,
)

__all__ = ["UciServer"]

#: The game of each variant; microchess has two names.
_VARIANTS: Final = {"chess": "chess", **dict.fromkeys(reversed(MICROCHESS_VARIANTS), "microchess")}
#: Options that programs set by habit. They are accepted and have no effect: agents choose the size of their tables.
_HABITS: Final = (
    (Option("Hash", "spin", least=1, most=65536), "16"), (Option("Threads", "spin", least=1, most=1024), "1"),
)  # fmt: skip
#: Part of a `movetime` that is left for the way of the move to the other program.
_LAG_SECONDS: Final = 0.02


class UciServer(Server):
    """Answers a chess program. `stop` ends the search of an agent that asks `should_stop`; others finish theirs."""

    games: ClassVar[tuple[str, ...]] = ("chess", "microchess")

    def __init__(self, session: AgentSession, game: Game, info: EngineInfo) -> None:
        super().__init__(session, game, info)
        self._variant = game
        self._position = Position("")
        self._line: GameLine | None = GameLine.begin(game)  # None after an invalid `position`
        self._changed = threading.Condition()
        self._go_read = 0  # the number of `go` commands read, and of those answered
        self._go_answered = 0
        self._go_stopped = 0  # `stop` was read for the `go` commands up to this one
        self._is_thinking = False
        self._ready_owed = 0  # `isready` commands read after a `go` that is still waiting for its turn
        self._began = 0.0
        self._said: SearchInfo | None = None
        session.on_report = self._show

    def input_ended(self) -> None:
        """Answer also a `go infinite`: nobody can send `stop` any more."""
        self.reply_at_once("stop")

    def is_quit(self, line: str) -> bool:
        """`quit` is obeyed at once."""
        return split_command(line)[0] == "quit"

    def reply_at_once(self, line: str) -> Sequence[str] | None:
        """Answer `isready` while the agent thinks, and take note of `stop`."""
        command, _ = split_command(line)
        with self._changed:
            if command == "go":
                self._go_read += 1
            elif command in {"stop", "ponderhit"}:
                self._go_stopped = self._go_read
                if command == "stop" and self._is_thinking and self.session.stop_byte is not None:
                    self.session.stop_byte.set()
                self._changed.notify_all()
                return ()
            elif command == "isready" and self._go_read > self._go_answered:
                self._ready_owed += not self._is_thinking
                return ("readyok",) if self._is_thinking else ()
        return None

    def reply(self, line: str) -> Iterable[str]:
        """The replies to one line; unknown commands are ignored, as UCI demands."""
        command, words = split_command(line)
        if command == "uci":
            return self._introduce()
        if command == "isready":
            return ("readyok",)
        if command == "setoption":
            return self._set_option(words)
        if command == "position":
            return self._set_position(words)
        if command == "go":
            return self._go(Go.read(words))
        if command == "ucinewgame":
            self.session.close()
        self.is_over = command == "quit"
        return ()

    def _introduce(self) -> Iterator[str]:
        yield name_line(f"arena {self.info.agent} {self.info.version}")
        yield "id author the author of the agent, served by arena"
        for option, default in _HABITS:
            yield option.line(default=default)
        yield Option(VARIANT_OPTION, "combo", choices=tuple(_VARIANTS)).line(default=self.game.name)
        yield "uciok"

    def _set_option(self, words: list[str]) -> Iterator[str]:
        option = SetOption.read(words)
        if option is None or option.name.lower() != VARIANT_OPTION.lower():
            return
        name = _VARIANTS.get((option.value or "").strip().lower())
        if name is None:
            variants = ", ".join(_VARIANTS)
            yield info_line(f"unknown variant {plain(repr(option.value), limit=60)}; the variants are {variants}")
        elif name != self._variant.name:
            self._variant = self.game if name == self.game.name else load(name)
            self._position, self._line = Position(""), GameLine.begin(self._variant)

    def _set_position(self, words: list[str]) -> Iterator[str]:
        try:
            self._line = self._follow(Position.read(words))
        except ArenaError as error:
            self._line = None
            yield info_line(plain(str(error), limit=300))

    def _follow(self, position: Position) -> GameLine:
        """The game of this position; only the moves that are new are played."""
        known, past = self._line, self._position
        if known is None or position.start != past.start or position.moves[: len(past.moves)] != past.moves:
            known, past = GameLine.begin(self._variant, position.start), Position(position.start)
        for text in position.moves[len(past.moves) :]:
            known = known.forward(text)
        self._position = position
        return known

    def _go(self, go: Go) -> Iterator[str]:
        move = None
        with self._changed:
            number, owed = self._go_answered + 1, self._ready_owed
            self._is_thinking, self._ready_owed = True, 0
            if self.session.stop_byte is not None:
                # A `stop` may have been read before its `go` had its turn.
                (self.session.stop_byte.set if self._go_stopped >= number else self.session.stop_byte.clear)()
        self._began, self._said = self.session.now(), None
        yield from ["readyok"] * owed
        try:
            if self._line is None:
                raise NoMove("there is no valid position")
            if go.searchmoves:
                yield info_line("searchmoves is not supported: the agent chooses among all legal moves")
            times = _times(go, self._line.state.turn)
            move = self.session.move(self._line, times, _limits(go, times))
            if self._said is None:  # an agent that says nothing: programs expect a line with a score
                yield str(self._info(AgentReport(value=0.5, line=(move,))))
        except NoMove as error:
            yield info_line(str(error))
        if go.is_infinite or go.is_ponder:
            self._wait_for_stop(number)
        with self._changed:
            self._go_answered, self._is_thinking = number, False
        yield bestmove_line(move)

    def _show(self, report: AgentReport) -> None:
        """Send what the agent says about its search."""
        if report.line or report.value is not None:
            self._said = self._info(report)
            self.write(str(self._said))

    def _info(self, report: AgentReport) -> SearchInfo:
        elapsed = max(0, round(1000 * (self.session.now() - self._began)))
        value = 0.5 if report.value is None else report.value
        return SearchInfo(
            depth=max(1, report.depth), nodes=report.nodes, milliseconds=elapsed, value=value, line=report.line
        )

    def _wait_for_stop(self, number: int) -> None:
        with self.session.interruptible(), self._changed:
            self._changed.wait_for(lambda: self._go_stopped >= number)


def _times(go: Go, turn: Color) -> Times | None:
    """The times for the agent; None if the command limits none of its own."""
    own, opponent = (go.wtime, go.btime) if turn == WHITE else (go.btime, go.wtime)
    limits = [limit for limit in (own, go.movetime) if limit is not None]
    if not limits:
        return None
    times = times_of(min(limits) / 1000, None if opponent is None else opponent / 1000)
    increment = (go.winc if turn == WHITE else go.binc) or 0
    return replace(times, increment=max(0, increment) / 1000, moves_to_go=_positive(go.movestogo))


def _limits(go: Go, times: Times | None) -> Limits:
    """What the command allows for this move; without a time, a search may take as long as it needs."""
    seconds = math.inf if go.movetime is None else max(go.movetime / 1000 - _LAG_SECONDS, go.movetime / 2000, 0.001)
    depth, nodes = _positive(go.depth), _positive(go.nodes)
    is_timeless = times is None and (go.is_infinite or depth is not None or nodes is not None)
    return Limits(depth=depth, nodes=nodes, seconds=seconds, until_stopped=is_timeless)


def _positive(number: int | None) -> int | None:
    return number if number is not None and number > 0 else None

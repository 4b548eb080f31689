"""The player of a person at a browser, and the orders that the browser sends while a game is played."""

import json
import math
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from agents.seat import Answer, Fault, History, Late, Player, Times
from arena.referee.referee import Resigned, TakenBack
from games.base import Color, Game, State
from games.errors import IllegalMove
from results.record import Seat
from results.text import counted, plain

__all__ = ["BrowserPlayer", "Hint", "Order", "Orders"]

#: What an agent that is asked for a hint may take, by its clock.
HINT_SECONDS: Final = 5.0
_LONGEST_POLL: Final = 3600.0
#: Why an order is refused. The site answers 409 to all of them.
STALE: Final = "stale"
_NOT_NOW: Final = "not-now"


@dataclass(frozen=True, slots=True)
class Order:
    """What the person at a table wants: `move`, `undo`, `resign` or `hint`.

    `step` is the number of the board that the person saw: an order about an earlier one is refused. `text` is the move,
    or the agent that is asked for a hint. The answer names the `number` of the order.
    """

    number: int
    step: int
    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """The move that an agent would make; `problem` says why there is none."""

    by: str
    move: str = ""
    problem: str = ""


class _NewOrder(Exception):
    """Ends the wait for a hint."""


class Orders:
    """Where the orders of a table arrive, and the only place that accepts them; an `Interrupt` of the referee.

    While an agent thinks, an order may end its request: `undo` and `resign` do. Every order is checked and answered
    here, in the one thread that also makes the moves, so that none can be about a board that has changed meanwhile.
    """

    def __init__(self, wire: socket.socket) -> None:
        self.step = 0
        self._wire = wire
        self._buffer = b""
        self._waiting: deque[Order] = deque()
        self._people: dict[Seat, BrowserPlayer] = {}
        self._movers: list[Seat] = []
        self._mover: Seat | None = None  # whom the referee asks
        self._is_hinting = False

    def send(self, message: Mapping[str, object]) -> None:
        """Send a line of JSON to the site."""
        try:
            self._wire.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except OSError as error:  # the site has ended: so does the table
            raise KeyboardInterrupt from error

    def read(self) -> Mapping[str, object]:
        """The first line that the site sends: the game that is wanted."""
        while b"\n" not in self._buffer:
            self._receive()
        line, _, self._buffer = self._buffer.partition(b"\n")
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    def seat(self, seat: Seat, player: "BrowserPlayer") -> None:
        """Let a person take a seat."""
        self._people[seat] = player

    def begin(self) -> None:
        """A game begins: nobody is asked yet."""
        self._movers.clear()
        self._mover = None
        self._advance()

    def show(self, *, moved: Seat | None, taken_back: int, mover: Seat | None) -> None:
        """The board has changed: who has moved, or how many moves were taken back, and who is asked now."""
        if taken_back:
            del self._movers[-taken_back:]
        elif moved is not None:
            self._movers.append(moved)
        self._mover = mover
        self._advance()

    def _advance(self) -> None:
        """From now on, orders about what was shown before are refused."""
        self.step += 1
        waiting, self._waiting = self._waiting, deque()
        for order in waiting:
            self.answer(order, STALE)

    def answer(self, order: Order, refusal: str = "") -> None:
        """Say whether an order was accepted."""
        self.send({"answer": order.number, "refusal": refusal})

    def next(self, deadline: float = math.inf) -> Order:
        """The next order about the present board; raises `Late` at the deadline (monotonic)."""
        while True:
            while self._waiting:
                order = self._waiting.popleft()
                if order.step == self.step:
                    return order
                self.answer(order, STALE)
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late("no move in time")
            if self._is_readable(min(left, _LONGEST_POLL)):
                self._receive()
                self._parse()

    def pause(self, seconds: float) -> None:
        """Let people look for some seconds; orders wait until then."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self._is_readable(left):
                self._receive()

    def hint(self, ask: Callable[[], Hint]) -> Hint | None:
        """The hint of an agent; None if another order came meanwhile, which is the next one then."""
        self._is_hinting = True
        try:
            return ask()
        except _NewOrder:
            return None
        finally:
            self._is_hinting = False

    def can_take_back(self, seat: Seat) -> bool:
        """Whether this player has made a move since the game began."""
        return seat in self._movers

    def fileno(self) -> int:
        """The descriptor of the orders while an agent thinks."""
        is_agents_turn = self._mover is not None and self._mover not in self._people
        return self._wire.fileno() if is_agents_turn or self._is_hinting else -1

    def serve(self) -> None:
        """Read orders while an agent thinks."""
        self._receive()
        self._parse()
        if self._is_hinting:
            if self._waiting:
                raise _NewOrder
            return
        while self._waiting:
            self._interrupt(self._waiting.popleft())

    def _interrupt(self, order: Order) -> None:
        """Answer an order that comes while an agent is asked for its move; raises what ends that request."""
        if order.step != self.step:
            self.answer(order, STALE)
            return
        seat = next(iter(self._people), None)
        if seat is None or order.kind not in ("undo", "resign"):
            self.answer(order, _NOT_NOW)
            return
        if order.kind == "undo" and not self.can_take_back(seat):
            self.answer(order, _NOT_NOW)
            return
        self._mover = None  # until the next board is shown
        self.answer(order)
        if order.kind == "resign":
            raise Resigned(seat)
        self._people[seat].undone += 1
        raise TakenBack(seat)

    def _is_readable(self, seconds: float) -> bool:
        return bool(select.select([self._wire], [], [], seconds)[0])

    def _receive(self) -> None:
        try:
            chunk = self._wire.recv(1 << 16)
        except OSError:
            chunk = b""
        if not chunk:  # the site has ended this table
            raise KeyboardInterrupt
        self._buffer += chunk

    def _parse(self) -> None:
        *lines, self._buffer = self._buffer.split(b"\n")
        self._waiting.extend(Order(**json.loads(line)) for line in lines)


class BrowserPlayer:
    """A `Player` for a person at a browser. Only the clock is enforced, and only with `is_timed`.

    `adviser` makes the player that is asked for a hint, from its name; `on_hint` is told first that somebody is asked,
    and then the hint. With `shares_screen` the opponent is a person at the same screen, who takes its own move back.
    """

    def __init__(
        self, orders: Orders, seat: Seat, *, adviser: Callable[[str], Player], on_hint: Callable[[Hint | None], None],
        is_timed: bool = False, shares_screen: bool = False, now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.is_timed = is_timed
        self.undone = 0
        self._hints = 0
        self._orders = orders
        self._seat = seat
        self._adviser = adviser
        self._on_hint = on_hint
        self._taken_back: Seat = ("second" if seat == "first" else "first") if shares_screen else seat
        self._now = now
        self._given: tuple[Game, Color, str, int] | None = None
        orders.seat(seat, self)

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        """Remember the game, for hints."""
        self._given = game, color, start, seed

    def ask(self, history: History, times: Times) -> Answer:
        """Wait for a legal move; raises `Resigned` or `TakenBack` if the person wants that."""
        began = self._now()
        deadline = time.monotonic() + times.own if self.is_timed else math.inf
        try:
            while (move := self._obey(self._orders.next(deadline), history)) is None:
                pass
        except Late:
            raise Fault("time", "no answer in time") from None
        return Answer(move, self._now() - began, 0.0, 0.0)

    def close(self) -> Fault | None:
        """Do nothing: there is no process."""
        return None

    def help_taken(self) -> dict[str, str]:
        """What the record notes, by its kind (see `FaultRecord.is_help`): hints, moves taken back, no clock."""
        found = {"hint": f"asked for {counted(self._hints, 'hint')}"} if self._hints else {}
        if self.undone:
            found["undo"] = f"took back {counted(self.undone, 'move')}"
        return found if self.is_timed else found | {"no-clock": "played without a clock"}

    def _obey(self, order: Order, history: History) -> str | None:
        """The move if the order is a legal one; None if the person is asked again."""
        if order.kind == "move":
            return self._read_move(order, history.state)
        if order.kind == "resign":
            self._orders.answer(order)
            raise Resigned
        if order.kind == "undo" and self._orders.can_take_back(self._taken_back):
            self._orders.answer(order)
            self.undone += 1
            raise TakenBack(self._taken_back)
        if order.kind == "hint":
            self._orders.answer(order)
            self._show_hint(order.text, history)
        else:
            self._orders.answer(order, _NOT_NOW)
        return None

    def _read_move(self, order: Order, state: State) -> str | None:
        try:
            move = str(state.parse(order.text))
        except IllegalMove:
            self._orders.answer(order, "illegal")
            return None
        self._orders.answer(order)
        return move

    def _show_hint(self, by: str, history: History) -> None:
        self._on_hint(None)
        self._on_hint(self._orders.hint(lambda: self._hint(by, history)) or Hint(by))

    def _hint(self, by: str, history: History) -> Hint:
        """The move that an agent would make here."""
        assert self._given is not None
        game, color, start, seed = self._given
        adviser = self._adviser(by)
        try:
            adviser.open(game, color, start=start, seed=seed)
            times = Times(own=HINT_SECONDS, opponent=HINT_SECONDS, opponent_last_move=0.0)
            move = str(history.state.parse(adviser.ask(history, times).text))
        except (Fault, IllegalMove) as problem:
            return Hint(by, problem=plain(str(problem)))
        finally:
            adviser.close()
        self._hints += 1
        return Hint(by, move)

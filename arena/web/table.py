"""The process of one table: it plays a game, or an exhibition, and tells the site what happens in lines of JSON.

A process and not a thread: players end with the thread that started them, and a server ends idle threads.
"""

import functools
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

from agents.seat import Player
from arena.competition.events import Event, GameStarted, GameStored, LeagueStarted, Notice, Reported, TurnPlayed
from arena.competition.plan import Plan, make_plan, open_results
from arena.competition.run import Run
from arena.competition.settings import Settings
from arena.entrants.entrant import Entrant, fitted, resolve, with_names
from arena.entrants.recall import recall
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.referee.browser_player import BrowserPlayer, Hint, Orders
from arena.referee.openings import Opening
from arena.referee.players import PlayerFactory
from arena.referee.reports import AgentReport
from arena.sandbox import linux
from arena.web.boards import board_frame, claim_text
from arena.web.thoughts import first_value, marks_by_share, written
from games.base import Game, Move, State, load_stored
from games.errors import ArenaError
from games.view import Viewable
from results.notation.replay import BROKEN
from results.pages.boards import board
from results.pages.thoughts import marks_of
from results.record import GameRecord, Seat
from results.store.store import Store
from results.text import plain

__all__ = ["Phase", "main", "run_for_site", "wanted_entrant"]

#: What happens at a table: its players start, somebody is to move, an agent is asked for a hint, the game is over.
Phase: TypeAlias = Literal["starting", "move", "hint", "over", "failed"]

#: In an exhibition a move is shown at least so long, and the end of a game.
_MOVE_SECONDS: Final = 0.8
_END_SECONDS: Final = 6.0
_ROUNDS: Final = 1000
_MOST_TEXT: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """The game that the site asks for. An agent is a text, or the seat of a stored game whose player plays again."""

    db: str
    game: str
    agents: Sequence[str]
    #: Seconds for each move of an agent, or a time control for the game that holds for people too.
    move_time: float | None = None
    time: str | None = None
    #: The start position and the first moves; empty for the game's own start.
    start: str = ""
    moves: Sequence[str] = ()
    opening_turns: int = 0
    is_exhibition: bool = False

    def plan(self, entrants: tuple[Entrant, ...]) -> Plan:
        load_stored(self.game)  # a visitor cannot name code to import
        settings = Settings.of(
            {"game": self.game, "move_time": self.move_time, "time": self.time, "reports": True,
             "opening_turns": self.opening_turns}
        )  # fmt: skip
        openings = (Opening(self.start, tuple(self.moves)),) if self.start or self.moves else None
        settings = replace(settings, openings=openings, suspend_after=None)
        settings = replace(settings, format="match", rounds=1)
        if self.is_exhibition:
            settings = replace(settings, format="round-robin", rounds=_ROUNDS)
        return make_plan("web", entrants, settings)

    def entrants(self) -> tuple[Entrant, ...]:
        game = load_stored(self.game)
        found = with_names(wanted_entrant(text, game, db=self.db) for text in self.agents)
        return tuple(random.sample(found, len(found))) if self.is_exhibition else found


def wanted_entrant(text: str, game: Game, *, db: str) -> Entrant:
    """The agent that the site asks for: its text, or `record:NUMBER:SEAT` for the player of a stored game."""
    if not text.startswith("record:"):
        return resolve(text, home=home())
    _, number, seat = text.split(":")
    with Store.read(db) as store:
        record = store.record(int(number))
    return recall(record.first if seat == "first" else record.second, game, home=home())


class _Table:
    """What is to be seen at the table; sent to the site whenever it changes."""

    def __init__(self, orders: Orders, plan: Plan, *, is_exhibition: bool) -> None:
        self._orders = orders
        self._plan = plan
        self._is_exhibition = is_exhibition
        self._is_timed = plan.settings.move_time is None
        self._state: State | None = None
        self._shown: dict[str, object] = {
            "seen": 0, "game": plan.game.name, "people": [], "untimed": [], "exhibition": is_exhibition,
        }  # fmt: skip
        self.league = ""
        self.stored = 0

    def hear(self, event: Event) -> None:
        """Take an event of the running game."""
        if isinstance(event, LeagueStarted):
            self.league = event.league
        elif isinstance(event, GameStarted):
            self._begin(event)
        elif isinstance(event, TurnPlayed):
            self._show(event)
        elif isinstance(event, Reported):
            self._claim(event.seat, event.report)
        elif isinstance(event, GameStored):
            self._end(event.record)
        elif isinstance(event, Notice):
            self.send(notice=plain(event.text))

    def seats(self, default: PlayerFactory) -> PlayerFactory:
        """A factory that seats people at their browser, and all other entrants as `default` does."""
        shares_screen = all(entrant.is_human for entrant in self._plan.entrants)

        def adviser(name: str, seat: Seat) -> Player:
            return default(fitted(resolve(name, home=home()), self._plan.game), seat)

        def make(entrant: Entrant, seat: Seat) -> Player:
            if not entrant.is_human:
                return default(entrant, seat)
            return BrowserPlayer(
                self._orders, seat, adviser=functools.partial(adviser, seat=seat),
                on_hint=self._hint, is_timed=self._is_timed, shares_screen=shares_screen,
            )  # fmt: skip

        return make

    def send(self, **changes: object) -> None:
        """Send what is to be seen, with these changes."""
        self._shown |= changes
        self._shown |= {"seen": cast(int, self._shown["seen"]) + 1, "step": self._orders.step, "at": time.time()}
        self._orders.send({"state": self._shown})

    def _begin(self, event: GameStarted) -> None:
        self._orders.begin()
        self._state = None
        seats: dict[Seat, str] = {"first": event.first, "second": event.second}
        humans = {entrant.name for entrant in self._plan.entrants if entrant.is_human}
        people = [seat for seat, name in seats.items() if name in humans]
        self.send(
            phase="starting", names={seat: plain(name, 60) for seat, name in seats.items()}, people=people,
            untimed=[] if self._is_timed else people, moves=[], claims={}, hint=None, result=None, notice="", legal=[],
        )  # fmt: skip

    def _show(self, event: TurnPlayed) -> None:
        """The board after a move, at the start, or after moves were taken back."""
        before, state = self._state, event.state
        moves = cast("list[str]", self._shown["moves"])
        moves = moves[: len(moves) - event.taken_back]
        last = None
        if event.move is None and before is None:
            moves, last = self._opened(state)
        elif event.move is not None and before is not None:
            last = before.parse(event.move)
            moves = [*moves, written(before, last)]
        self._state = state
        seat: Seat = "first" if state.turn == self._plan.game.first else "second"
        mover = None if state.is_game_over() else seat
        self._orders.show(moved=event.mover, taken_back=event.taken_back, mover=mover)
        is_persons = mover in cast("list[Seat]", self._shown["people"])
        self.send(
            phase="move", seat=mover, moves=moves, clocks=dict(event.clocks), hint=None, notice="",
            legal=_paths(state) if is_persons else [], asked=time.time(), back=event.taken_back, **_drawn(state, last),
        )  # fmt: skip
        if self._is_exhibition and event.move is not None:
            self._orders.pause(_MOVE_SECONDS)

    def _opened(self, state: State) -> tuple[list[str], Move | None]:
        """The moves of the opening as people write them, and the last of them."""
        opening = self._plan.settings.openings
        if not isinstance(opening, tuple) or not opening[0].moves:
            return [], None
        before, moves, last = self._plan.game.position(opening[0].start or self._plan.game.start().text), [], None
        for text in opening[0].moves:
            last = before.parse(text)
            moves.append(written(before, last))
            before = before.forward(last)
        return (moves, last) if before.text == state.text else ([], None)

    def _claim(self, seat: Seat, report: AgentReport) -> None:
        """What an agent claims about the move that it looks for."""
        if self._state is None:
            return
        said = {"value": report.value, "depth": report.depth, "nodes": report.nodes, "line": list(report.line)}
        claims = cast("dict[str, object]", self._shown["claims"])
        claim = {
            "text": claim_text(said),
            "value": first_value(report.value, self._state, first=self._plan.game.first),
            "marks": marks_by_share(self._state, report.visits or report.policy),
        }
        self.send(claims={**claims, seat: claim})

    def _hint(self, hint: Hint | None) -> None:
        """Somebody is asked for a hint, or has answered."""
        if hint is None or self._state is None:
            self.send(phase="hint", hint=None)
            return
        found: dict[str, object] = {"by": plain(hint.by, 60), "problem": hint.problem}
        if hint.move:
            move = self._state.parse(hint.move)
            found |= {"move": written(self._state, move), "marks": marks_of(self._state, [(hint.move, 1.0)])}
        self.send(phase="move", hint=found if hint.move or hint.problem else None)

    def _end(self, record: GameRecord) -> None:
        self.stored += 1
        winner = {"1-0": "first", "0-1": "second"}.get(record.result)
        reason = record.reason if record.fault is None else f"{record.reason}: {record.fault.rule}"
        result = {
            "score": record.result, "winner": winner, "reason": plain(reason), "detail": plain(record.detail),
            "record": record.id, "turns": record.turns,
        }  # fmt: skip
        self.send(phase="over", seat=None, legal=[], result=result)
        if self._is_exhibition:
            self._orders.pause(_END_SECONDS)


def _drawn(state: State, last: Move | None) -> dict[str, object]:
    """The board as `board.js` paints it, the names of its cells, and the picture to begin with."""
    try:
        view = state.view() if isinstance(state, Viewable) else None
    except BROKEN:
        view = None
    names = [] if view is None else [cell.name for cell in view.cells]
    held = [] if view is None else [plain(cell.holds, 20) for cell in view.cells]
    areas = view is not None and view.areas
    frame = board_frame(state, last)
    return {"cells": names, "holds": held, "areas": areas, "board": frame, "html": board(state, last)}


def _paths(state: State) -> list[list[str]]:
    """The legal moves, each with the clicks that make it; without a board its text is the only click."""
    moves = list(state.legal_moves)
    try:
        if isinstance(state, Viewable):
            return [[str(move), *state.path(move)] for move in moves]
    except BROKEN:
        pass
    return [[str(move), str(move)] for move in moves]


def _play(orders: Orders) -> None:
    given = dict(orders.read())
    wanted = _Wanted(**given)  # type: ignore[arg-type] # the site wrote it
    plan = wanted.plan(wanted.entrants())
    table = _Table(orders, plan, is_exhibition=wanted.is_exhibition)
    with open_results(Path(wanted.db), plan) as store:
        run = Run(store=store, plan=plan, on_event=table.hear, prefix="web")
        try:
            summary = run.here(table.seats, interrupt=orders)
        except KeyboardInterrupt:
            if table.league and not table.stored:  # nothing happened that anybody wants to see again
                store.remove([table.league], is_alive=lambda *_: False)
            raise
        if summary.suspended:
            raise BadSettings("this game could not be played: we failed three times; the log of the server says why")


def run_for_site(parent: int, descriptor: int, perform: Callable[[Orders], None]) -> None:
    """Do what the site asks for over this descriptor; end with the site."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    with socket.socket(fileno=descriptor) as wire:
        orders = Orders(wire)
        try:
            perform(orders)
        except KeyboardInterrupt:
            return
        except ArenaError as error:
            orders.send({"failed": plain(str(error), _MOST_TEXT)})


def main(parent: int, descriptor: int) -> None:
    """Play what the site asks for; end with the site."""
    run_for_site(parent, descriptor, _play)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

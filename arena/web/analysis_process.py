"""The process of an analysis, or of a game that is played again: it tells the site what it finds in lines of JSON."""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from agents.base import Limits
from agents.seat import Answer, Fault, History, Player, Times
from arena.competition.rerun import play_again
from arena.competition.settings import Settings
from arena.engine.session import GameLine
from arena.entrants.entrant import Entrant, fitted
from arena.entrants.staging import home
from arena.process.stop_byte import StopByte
from arena.referee.agent_player import AgentPlayer
from arena.referee.browser_player import Orders
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Turn, illegal_move
from arena.referee.reports import AgentReport
from arena.web.boards import board_frame
from arena.web.table import run_for_site, wanted_entrant
from arena.web.thoughts import thought_of, written
from games.base import Move, State, join_parameters, load_stored
from games.errors import IllegalMove
from results.pages.boards import board
from results.record import GameRecord, Seat
from results.store.store import Store
from results.text import plain

__all__ = ["main"]

#: How much longer than it was given an agent may think before its process is ended.
_GRACE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What the site asks for: an agent about a position, or, without an agent, a stored game once more.

    `moves` lead from the start of the stored game to the position.
    """

    db: str
    record: int
    turn: int = 0
    game: str = ""
    start: str = ""
    moves: Sequence[str] = ()
    agent: str = ""
    seconds: float = 0.0
    #: What the form said, for the page.
    title: str = ""
    choice: str = ""
    options: str = ""


class _Screen:
    """What is to be seen; sent to the site whenever it changes."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._seen = 0
        self._shown: dict[str, object] = {}

    def send(self, **changes: object) -> None:
        """Send what is to be seen, with these changes."""
        self._seen += 1
        self._shown |= changes
        self._orders.send({"state": {**self._shown, "seen": self._seen, "at": time.time()}})


class _Analysis:
    """One agent thinks about one position, for so many seconds."""

    def __init__(self, screen: _Screen, wanted: _Wanted) -> None:
        self._screen = screen
        self._seconds = wanted.seconds
        game = load_stored(wanted.game)  # not `load`: a visitor cannot name code to import
        self._line = GameLine.begin(game, wanted.start, wanted.moves)
        self._entrant: Entrant = fitted(wanted_entrant(wanted.agent, game, db=wanted.db), game, has_positions=True)
        self._began = 0.0
        last = _last_move(self._line)
        self._last = board_frame(self._line.state, last).get("last", [])
        screen.send(phase="starting", board=board_frame(self._line.state, last), html=board(self._line.state, last))

    def run(self, orders: Orders) -> None:
        settings = Settings.of({"game": self._line.game.name})
        setup = Setup(self._line.game, settings.rules, settings.needs)
        stop_byte = StopByte()
        try:
            with (
                ProcessPlayers(setup, interrupt=orders) as players,
                closing(self._player(players, stop_byte)) as player,
            ):
                self._think(player)
        except Fault as fault:
            self._screen.send(phase="over", problem=plain(f"{fault.rule}: {fault.detail}", 300))
        finally:
            stop_byte.close()

    def _player(self, players: ProcessPlayers, stop_byte: StopByte) -> Player:
        if self._entrant.protocol:
            return players.player(self._entrant, charge="wall", seconds=self._allowed, on_report=self._hear)
        return players.served(
            self._entrant, charge="wall", on_report=self._hear, stop_byte=stop_byte, grace=_GRACE_SECONDS
        )

    @property
    def _allowed(self) -> float:
        return self._seconds + _GRACE_SECONDS

    def _think(self, player: Player) -> None:
        line = self._line
        player.open(line.game, line.state.turn, start=line.start, seed=0)
        if isinstance(player, AgentPlayer):
            player.limits = Limits(seconds=self._seconds)
        self._began = time.monotonic()
        self._screen.send(phase="thinking", asked=time.time())
        times = Times(own=self._seconds, opponent=self._seconds, opponent_last_move=0.0, moves_to_go=1)
        answer = player.ask(History(line.start, line.moves, line.state), times)
        self._screen.send(phase="over", move=_chosen(line.state, answer), took=round(answer.wall, 2))

    def _hear(self, report: AgentReport) -> None:
        seconds = time.monotonic() - self._began
        thought = thought_of(self._line.state, report, first=self._line.game.first, seconds=seconds)
        if isinstance(film := thought["film"], dict):
            film["last"][0] = self._last
        self._screen.send(thought=thought)


def _last_move(line: GameLine) -> Move | None:
    """The move that led to the position."""
    if not line.moves:
        return None
    return GameLine.begin(line.game, line.start, line.moves[:-1]).state.parse(line.moves[-1])


def _chosen(state: State, answer: Answer) -> str:
    try:
        return written(state, state.parse(answer.text))
    except IllegalMove as error:
        raise illegal_move(state, answer.text, error) from error


class _Again:
    """A stored game is played again, and compared move by move."""

    def __init__(self, screen: _Screen, record: GameRecord) -> None:
        self._screen = screen
        self._record = record
        self._before: State | None = None
        self._made = len(record.opening)
        self._differs: int | None = None
        state = _opened(record)
        screen.send(
            phase="starting",
            turn=self._made,
            turns=record.turns,
            board=board_frame(state, None),
            html=board(state, None),
        )

    def show(self, turn: Turn) -> None:
        """The board after a move of the new game."""
        before, self._before = self._before, turn.state
        last = before.parse(turn.move) if turn.move is not None and before is not None else None
        if turn.move is not None:
            self._made += 1
            stored = self._record.moves[self._made - 1].text if self._made <= self._record.turns else None
            if stored != turn.move and self._differs is None:
                self._differs = self._made
        self._screen.send(phase="thinking", turn=self._made, differs=self._differs, board=board_frame(turn.state, last))


def _opened(record: GameRecord) -> State:
    """The position after the opening of a stored game."""
    state = load_stored(join_parameters(record.game, record.parameters)).position(record.start)
    for text in record.opening:
        state = state.forward(state.parse(text))
    return state


def _play_again(orders: Orders, screen: _Screen, wanted: _Wanted) -> None:
    with Store.read(wanted.db) as store:
        record = store.record(wanted.record)
        league = store.known(record.league)
    again = _Again(screen, record)
    found = play_again(record, league, home=home(), watch=again.show, interrupt=orders)
    screen.send(
        phase="over", identical=found.is_identical, differs=found.turn, verdict=plain(found.text(), 400),
        changes=[plain(change, 200) for change in found.changes],
    )  # fmt: skip


def _perform(orders: Orders) -> None:
    given: Mapping[str, object] = orders.read()
    wanted = _Wanted(**given)  # type: ignore[arg-type] # the site wrote it
    screen = _Screen(orders)
    seat: Seat = "first"
    orders.show(moved=None, taken_back=0, mover=seat)  # so that the end of the site, or of the page, ends the thinking
    if not wanted.agent:
        _play_again(orders, screen, wanted)
        return
    analysis = _Analysis(screen, wanted)
    analysis.run(orders)


def main(parent: int, descriptor: int) -> None:
    """Do what the site asks for; end with the site."""
    run_for_site(parent, descriptor, _perform)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

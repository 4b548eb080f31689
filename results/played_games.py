"""Stored games and faults for notebooks and scripts: they show themselves, step by step or as pandas frames.

pandas is imported only by the calls to `to_pandas`. Text that agents wrote is escaped wherever it becomes HTML.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self, overload

from games.base import State
from results.league import League
from results.notation.export import frame
from results.notation.replay import Replay, clocks, cost_of, replay, seat_of
from results.pages.boards import picture, text_board
from results.pages.page import result_text, shown, table
from results.record import FaultRecord, GameRecord, Phase
from results.store.store import Store
from results.text import counted, plain

if TYPE_CHECKING:
    import pandas

__all__ = ["FaultRow", "Faults", "Games", "PlayedGame"]

_NAME: Final = 60
#: The HTML form of a long list shows this many rows.
_ROWS: Final = 100


class Games(Sequence["PlayedGame"]):
    """Games of a results file; each is read from the file when it is asked for."""

    def __init__(self, store: Store, numbers: Sequence[int]) -> None:
        self._store = store
        self._numbers = numbers
        self._leagues: dict[str, League] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> "PlayedGame": ...
    @overload
    def __getitem__(self, index: slice) -> "Games": ...
    def __getitem__(self, index: int | slice) -> "PlayedGame | Games":
        if isinstance(index, slice):
            return Games(self._store, self._numbers[index])
        record = self._store.record(self._numbers[index])
        if record.league not in self._leagues:
            self._leagues[record.league] = self._store.known(record.league)
        return PlayedGame(record, self._leagues[record.league])

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per game, with the columns of `Results.to_pandas`."""
        rows = {row[0]: row for row in self._store.rows(numbers=self._numbers)}
        return frame(rows[number] for number in self._numbers)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'game')}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                str(game.id), shown(game.first, _NAME), result_text(game.result), shown(game.second, _NAME),
                shown(game.reason), str(len(game)),
            ]
            for game in self[:_ROWS]
        ]  # fmt: skip
        caption = counted(len(self), "game") + (f", the first {_ROWS} of them" if len(self) > _ROWS else "")
        headers = ("game", "first", "result", "second", "reason", "turns")
        return table(caption, headers, rows, words=("first", "result", "second", "reason"))


class PlayedGame:
    """A stored game to step through: `game[12]` is the state after 12 turns, `game[0]` the start, `game[-1]` the end.

    Iterating gives all states from the start on. The states come from the current rules: if these no longer accept a
    move, or the game is unknown here, the states stop before it and `broken` is the reason.
    """

    def __init__(self, record: GameRecord, league: League | None = None) -> None:
        self.record = record
        self._league = league

    @property
    def id(self) -> int | None:
        """The record number; None for a game that is not stored."""
        return self.record.id

    @property
    def first(self) -> str:
        """The name of the first player."""
        return self.record.first.name

    @property
    def second(self) -> str:
        """The name of the second player."""
        return self.record.second.name

    @property
    def result(self) -> str:
        """`1-0` if first won, `0-1` if second won, else `1/2-1/2`."""
        return self.record.result

    @property
    def winner(self) -> str | None:
        """The name of the winner; None for a draw."""
        return {"1-0": self.first, "0-1": self.second, "1/2-1/2": None}[self.record.result]

    @property
    def reason(self) -> str:
        """The rule that ended the game, or `fault`."""
        return self.record.reason

    @property
    def fault(self) -> FaultRecord | None:
        """The fault that ended the game, if one did."""
        return self.record.fault

    @property
    def broken(self) -> str:
        """Why the current rules cannot replay the whole game; empty if they can."""
        return self._replay.broken

    @cached_property
    def _replay(self) -> Replay:
        return replay(self.record)

    def __len__(self) -> int:
        """The number of turns."""
        return self.record.turns

    def __bool__(self) -> bool:
        return True  # also a game that ended before its first turn

    @overload
    def __getitem__(self, turn: int) -> State: ...
    @overload
    def __getitem__(self, turn: slice) -> list[State]: ...
    def __getitem__(self, turn: int | slice) -> State | list[State]:
        """The state after this many turns; negative numbers count from the end. A slice gives a list of states."""
        turns = len(self)
        if isinstance(turn, slice):
            return [self[index] for index in range(*turn.indices(turns + 1))]
        if not isinstance(turn, int):
            raise TypeError(f"write game[12] or game[2:5], a number of turns, not {turn!r}")
        index = turn + turns + 1 if turn < 0 else turn
        if not 0 <= index <= turns:
            raise IndexError(
                f"this game has {counted(turns, 'turn')}: use 0 (the start) to {turns} (the end), or -1 (the end) to "
                f"{-turns - 1} (the start), not {turn}"
            )
        if index >= len(self._replay.states):
            raise IndexError(f"turn {index} cannot be shown: {self.broken}")
        return self._replay.states[index]

    def __iter__(self) -> Iterator[State]:
        return iter(self._replay.states)

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per turn; `clock_left` is what its player had left after it, in seconds, as the league charged it."""
        import pandas

        left = clocks(self.record, cost_of(self._league.settings.get("clock") if self._league else None))
        rows = []
        for turn, move in enumerate(self.record.moves, 1):
            seat = seat_of(self.record, turn)
            rows.append(
                (turn, self.first if seat == "first" else self.second, move.text, move.wall, move.cpu,
                 left[turn].first if seat == "first" else left[turn].second)
            )  # fmt: skip
        return pandas.DataFrame(rows, columns=["turn", "player", "move", "wall", "cpu", "clock_left"])

    def __repr__(self) -> str:
        return f"<{self._line()}>"

    def __str__(self) -> str:
        board = f"no board: {self.broken}" if self.broken else text_board(self._replay.states[-1])
        return f"{self._line()}\n\n{board}"

    def _repr_svg_(self) -> str | None:
        """The last position with the last move marked; None where there is no picture of it."""
        if self.broken:
            return None
        moves = self._replay.moves
        return picture(self._replay.states[-1], moves[-1] if moves else None)

    def _line(self) -> str:
        number = "game" if self.id is None else f"game {self.id}"
        why = plain(self.reason)
        if self.fault is not None:
            faulty = self.first if self.fault.player == "first" else self.second
            why = f"fault of {plain(faulty, _NAME)} ({plain(self.fault.rule)})"
        return (
            f"{number}: {plain(self.first, _NAME)} {self.result} {plain(self.second, _NAME)}, {why}, "
            f"{counted(len(self), 'turn')} of {plain(self.record.game)}"
        )


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault that ended a game: who broke which rule, what it was asked to do, and on which turn."""

    game: int | None
    agent: str
    rule: str
    phase: Phase
    turn: int | None
    detail: str

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        """The fault of a record that has one."""
        fault = record.fault
        assert fault is not None
        agent = record.first.name if fault.player == "first" else record.second.name
        return cls(record.id, agent, fault.rule, fault.phase, fault.turn, fault.detail)


@dataclass(frozen=True, slots=True)
class Faults(Sequence[FaultRow]):
    """The faults of a league, in the order the games were stored."""

    rows: tuple[FaultRow, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> FaultRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FaultRow, ...]: ...
    def __getitem__(self, index: int | slice) -> FaultRow | tuple[FaultRow, ...]:
        return self.rows[index]

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per fault."""
        import pandas

        frame = pandas.DataFrame([asdict(row) for row in self.rows], columns=list(FaultRow.__dataclass_fields__))
        return frame.astype({"turn": "Int64"})

    def __str__(self) -> str:
        lines = [
            f"game {row.game}: {plain(row.agent, _NAME)} broke {plain(row.rule)} in {row.phase}"
            f"{'' if row.turn is None else f', turn {row.turn}'}: {plain(row.detail)}"
            for row in self.rows
        ]
        return "\n".join(lines) or "no faults"

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'fault')}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                str(row.game), shown(row.agent, _NAME), shown(row.rule), row.phase,
                "" if row.turn is None else str(row.turn), shown(row.detail),
            ]
            for row in self.rows[:_ROWS]
        ]  # fmt: skip
        caption = counted(len(self), "fault") + (f", the first {_ROWS} of them" if len(self) > _ROWS else "")
        return table(caption, list(FaultRow.__dataclass_fields__), rows, words=("agent", "rule", "phase", "detail"))

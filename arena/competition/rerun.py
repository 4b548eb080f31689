"""Playing a stored game again, to see whether it ends the same way."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.competition.settings import Settings
from arena.entrants.entrant import Entrant
from arena.entrants.grants import check_installed
from arena.entrants.recall import recall
from arena.errors import BadSettings, Void
from arena.execution.executor import Ok, Setup, open_executor
from arena.process.spawned_process import Interrupt
from arena.referee.referee import Job, Turn
from arena.referee.task import GameTask
from games.base import join_parameters, load_stored
from results.league import League
from results.record import GameRecord

__all__ = ["Rerun", "play_again"]


@dataclass(frozen=True, slots=True)
class Rerun:
    """A stored game and the same game played again; `changes` are reasons why the two may differ."""

    was: GameRecord
    now: GameRecord
    changes: tuple[str, ...]

    @property
    def turn(self) -> int | None:
        """The first turn (from 1) whose move differs, or that only one of the two has."""
        was, now = self._moves(self.was), self._moves(self.now)
        for turn, (one, two) in enumerate(zip(was, now, strict=False), 1):
            if one != two:
                return turn
        return None if len(was) == len(now) else min(len(was), len(now)) + 1

    @property
    def is_identical(self) -> bool:
        """Whether moves, result and reason are the same."""
        return self.turn is None and self._verdict(self.was) == self._verdict(self.now)

    def text(self) -> str:
        """The result of the comparison in one line."""
        if self.is_identical:
            return f"identical: {self.was.turns} turns, {self._verdict(self.was)}"
        if self.turn is None:
            return f"the same moves, but it ended {self._verdict(self.was)} then and {self._verdict(self.now)} now"
        was, now = (self._move(record, self.turn) for record in (self.was, self.now))
        return f"differs from turn {self.turn} on: {was} then, {now} now"

    def as_dict(self) -> dict[str, object]:
        """The comparison as JSON."""
        return {
            "record": self.was.id,
            "identical": self.is_identical,
            "turn": self.turn,
            "was": self._game(self.was),
            "now": self._game(self.now),
            "changes": list(self.changes),
        }

    def _game(self, record: GameRecord) -> dict[str, object]:
        fault = None if record.fault is None else {"player": record.fault.player, "rule": record.fault.rule}
        return {"result": record.result, "reason": record.reason, "fault": fault, "moves": self._moves(record)}

    @staticmethod
    def _moves(record: GameRecord) -> list[str]:
        return [move.text for move in record.moves]

    def _move(self, record: GameRecord, turn: int) -> str:
        moves = self._moves(record)
        return moves[turn - 1] if turn <= len(moves) else f"over ({self._verdict(record)})"

    @staticmethod
    def _verdict(record: GameRecord) -> str:
        reason = f"{record.fault.player} faulted: {record.fault.rule}" if record.fault is not None else record.reason
        return f"{record.result} ({reason})"


def play_again(
    record: GameRecord, league: League, *, home: Path, trust_file: bool = False,
    watch: Callable[[Turn], None] | None = None, interrupt: Interrupt | None = None,
) -> Rerun:  # fmt: skip
    """Play a stored game again from its seeds, with the same code and options, under the same rules.

    Only if the user trusts the results file, it may ask for a game without the sandbox, and for programs. `watch` is
    told every turn of the new game; `interrupt` may end it.
    """
    settings = Settings.restored(league.settings)
    if settings.trust_agents and not trust_file:
        raise BadSettings(
            "according to the results file this game was played without the sandbox; "
            "if you trust the file and the agents, add --trust-file"
        )
    game = load_stored(join_parameters(record.game, record.parameters))
    first, second = (recall(seat, game, home=home, trust_file=trust_file) for seat in (record.first, record.second))
    if first.is_human or second.is_human:
        raise BadSettings("a game with a person cannot be played again")
    job = Job(
        league=record.league, key=record.key, game=game, first=first.record(), second=second.record(),
        seconds=record.seconds, start=record.start, opening=record.opening,
        control=record.control, seed=record.seed, seed_first=record.seed_first, seed_second=record.seed_second,
        dice=record.dice,
    )  # fmt: skip
    check_installed(settings.needs, where=f"the settings of {league.name}")
    task = GameTask(
        job=job, first=first, second=second, charge=settings.clock, adjudication=settings.adjudication, watch=watch
    )
    with open_executor(Setup(game, settings.rules, settings.needs), workers=None, interrupt=interrupt) as executor:
        (outcome,) = executor.run(iter([task]))
    if not isinstance(outcome, Ok):
        raise Void(f"we failed to play the game again: {outcome.reason}")
    now = outcome.result
    changes = list(_changes(record, first, second))
    if game.version != record.game_version:
        changes.append(f"the rules of {game.name} have changed from version {record.game_version} to {game.version}")
    return Rerun(record, now, tuple(changes))


def _changes(record: GameRecord, *entrants: Entrant) -> Iterator[str]:
    for was, entrant in zip((record.first, record.second), entrants, strict=True):
        if was.hash != entrant.hash:
            yield f"the code of {was.name} has changed"

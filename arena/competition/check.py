"""The check of an agent before any league: what would disqualify it, found out in the sandbox."""

import contextlib
import math
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.competition.arguments import with_copied_game
from arena.competition.events import GameStarted, Notice, OnEvent, TurnPlayed
from arena.competition.explanation import what_happened
from arena.competition.league_file import entrant_line
from arena.competition.seeds import derive, new_secret
from arena.competition.settings import Settings
from arena.entrants.entrant import Agent, Entrant, entrant_of, fitted, resolve
from arena.entrants.grants import check_installed
from arena.entrants.staging import home
from arena.errors import BadSettings, Void
from arena.referee.agent_player import AgentPlayer, Patience
from arena.referee.engine_player import EnginePlayer
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, Turn, play
from arena.sandbox.launch import Rules
from arena.sandbox.level import Level, level
from games.base import Color, Game, join_parameters, load
from games.errors import ArenaError
from results.notation.json_form import JsonObject
from results.pages.page import result_text, shown, table
from results.record import FaultRecord, GameRecord, Seat
from results.text import plain

__all__ = [
    "HANG_SECONDS", "MOST_SECONDS", "SLOW_SECONDS", "CheckFailed", "CheckTask", "Report", "Trial", "check",
    "check_entrant",
]  # fmt: skip

#: The most that a player gets for one of the two games, unless told otherwise.
MOST_SECONDS: Final = 60.0
#: After so many seconds without an answer a notice says what the agent is running.
SLOW_SECONDS: Final = 5.0
#: The most that a player gets for one answer, unless told otherwise. Wall time: nobody wants to wait longer.
HANG_SECONDS: Final = 20.0
_ATTEMPTS: Final = 3
_OPPONENT: Final = "random"


@dataclass(frozen=True, slots=True)
class Trial:
    """One of the games of a check: whom the agent met, where it sat, how it went."""

    against: str
    seats: tuple[Seat, ...]
    record: GameRecord
    #: Seconds from nothing to ready, the least of its starts; None if it never was ready.
    startup: float | None
    #: Calls that were refused without being a fault.
    refused: tuple[str, ...]

    @property
    def fault(self) -> FaultRecord | None:
        """The rule that the agent itself broke, if it did."""
        fault = self.record.fault
        return fault if fault is not None and fault.player in self.seats else None

    @property
    def printed(self) -> str:
        """The end of what the agent printed; of its two players against itself, what the first one did."""
        outputs = {"first": self.record.output_first, "second": self.record.output_second}
        return next((outputs[seat] for seat in self.seats if outputs[seat].strip()), "")

    @property
    def what_happened(self) -> str:
        """Its fault in half a sentence; empty if there is none."""
        return what_happened(self.record) if self.fault is not None else ""

    def as_json(self) -> JsonObject:
        """The game with the evidence of a fault."""
        fault = self.fault
        return {
            "against": self.against,
            "result": self.record.result,
            "reason": self.record.reason,
            "turns": self.record.turns,
            "printed": self.printed,
            "fault": fault
            and {
                "player": fault.player,
                "rule": fault.rule,
                "detail": fault.detail,
                "what_happened": self.what_happened,
                "evidence": dict(fault.evidence),
            },
            "notes": [f"{note.rule}: {note.detail}" for note in self.record.notes if note.player in self.seats],
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report:
    """How a check went. All text in it is safe to show."""

    agent: str
    hash: str
    game: str
    sandbox: Level
    trials: tuple[Trial, ...]

    @property
    def passed(self) -> bool:
        """Whether it broke no rule."""
        return not self.why_not

    @property
    def why_not(self) -> str:
        """The first broken rule in words; empty if it passed."""
        for trial in self.trials:
            if trial.fault is not None:
                return f"it breaks the rule `{trial.fault.rule}`: {trial.what_happened}"
        return ""

    @property
    def startup(self) -> float | None:
        """Seconds from nothing to ready, the least of all starts; None if it never was ready."""
        return min((trial.startup for trial in self.trials if trial.startup is not None), default=None)

    @property
    def refused(self) -> tuple[str, ...]:
        """Calls that were refused without being a fault, each once."""
        return tuple(dict.fromkeys(line for trial in self.trials for line in trial.refused))

    def __str__(self) -> str:
        return f"{self.agent}: {'passed' if self.passed else f'failed: {self.why_not}'}"

    def __repr__(self) -> str:
        return f"<check of {self}>"

    def _repr_html_(self) -> str:
        rows = [
            [shown(trial.against), result_text(trial.record.result), shown(trial.record.reason),
             str(trial.record.turns), shown(trial.what_happened, limit=300)]
            for trial in self.trials
        ]  # fmt: skip
        startup = "never ready" if self.startup is None else f"ready after {self.startup:.3f} s"
        caption = f"{shown(str(self), limit=600)} ({startup}, sandbox {self.sandbox})"
        refused = "".join(f"<p>refused, but not a fault: {shown(line, limit=300)}</p>" for line in self.refused)
        headers = ("against", "result", "reason", "turns", "fault")
        return table(caption, headers, rows, words=("against", "result", "reason", "fault")) + refused

    def as_json(self) -> JsonObject:
        """The report as `arena check --json` prints it and a submission keeps it."""
        return {
            "agent": self.agent,
            "hash": self.hash,
            "game": self.game,
            "sandbox": self.sandbox,
            "passed": self.passed,
            "why_not": self.why_not,
            "startup_seconds": None if self.startup is None else round(self.startup, 4),
            "games": [trial.as_json() for trial in self.trials],
            "refused": list(self.refused),
        }


class CheckFailed(ArenaError):
    """An agent broke a rule in its check; `report` has the details."""

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text)
        self.report = report


def check(
    agent: Agent, *, game: str = "microchess", time: float | None = None, needs: Sequence[str] = (),
    on_event: OnEvent | None = None,
) -> Report:  # fmt: skip
    """Find out what would disqualify an agent: it plays up to two games in the sandbox. Nothing is stored.

    `on_event` receives the start of each game, its turns, and a notice when an answer takes long.

    The agent may break rules: then the report says so. Raises `UnknownAgent` or `BadSettings` if it cannot be tried.
    """
    settings = Settings.of(with_copied_game({"game": game, "time": time, "needs": needs}))
    line = entrant_line(agent)
    entrant = entrant_of(line.given, home=home(), text=line.text)
    seconds = settings.time.seconds if settings.time else None
    return check_entrant(entrant, load(settings.game), seconds=seconds, needs=settings.needs, on_event=on_event)


def check_entrant(
    entrant: Entrant, game: Game, *, seconds: float | None = None, needs: tuple[str, ...] = (),
    on_event: OnEvent | None = None,
) -> Report:  # fmt: skip
    """Start an agent in the sandbox; play it against itself and against `random`.

    Raises `BadSettings` where the sandbox does not work, `Void` if we fail to play.
    """
    if entrant.is_human:
        raise BadSettings("a person cannot be checked")
    if level() == "none":
        raise BadSettings("the sandbox does not work on this machine, so no agent can be checked; see `arena doctor`")
    check_installed(needs, where="needs")
    with ProcessPlayers(Setup(game, Rules(), needs, home())) as factory:
        return CheckTask(entrant, game, seconds).perform(factory, on_event=on_event)


@dataclass(frozen=True, slots=True)
class CheckTask:
    """The check of one agent as a task for an executor."""

    entrant: Entrant
    game: Game
    seconds: float | None = None

    def perform(self, players: ProcessPlayers, *, on_event: OnEvent | None = None) -> Report:
        """Play the games of the check."""
        entrant, game = fitted(self.entrant, self.game), self.game
        table = _Table(players, game, self.seconds, on_event or (lambda _: None))
        trials: list[Trial] = []
        for opponent in (entrant, resolve(_OPPONENT, home=home())):
            trials.append(table.replayed(opponent, entrant))
            if trials[-1].fault is not None:  # most mistakes would come again: one message is clearer than two
                break
        return Report(
            agent=plain(entrant.name, limit=60), hash=entrant.hash, game=join_parameters(game.name, game.parameters),
            sandbox=players.level, trials=tuple(trials),
        )  # fmt: skip


class _Timed:
    """A player that remembers how long it took to get ready."""

    def __init__(self, player: AgentPlayer | EnginePlayer) -> None:
        self.startup: float | None = None
        self.ask, self.close, self.output, self.refused = player.ask, player.close, player.output, player.refused
        self.start_cost = player.start_cost
        self._player = player

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        began = clock.monotonic()
        self._player.open(game, color, start=start, seed=seed)
        self.startup = clock.monotonic() - began


class _Table:
    """Where the games of a check are played."""

    def __init__(self, factory: ProcessPlayers, game: Game, seconds: float | None, on_event: OnEvent) -> None:
        self._factory = factory
        self._game = game
        self._seconds = min(game.seconds, MOST_SECONDS) if seconds is None else seconds
        self._on_event = on_event
        slow = Patience(slow=SLOW_SECONDS, most=HANG_SECONDS, on_slow=self._slow)
        self._patience = slow if seconds is None else replace(slow, most=math.inf)

    def replayed(self, first: Entrant, second: Entrant) -> Trial:
        """A trial of the second entrant; what fails by our doing is played again."""
        for _ in range(_ATTEMPTS - 1):
            with contextlib.suppress(Void):
                return self._trial(first, second)
        return self._trial(first, second)

    def _trial(self, first: Entrant, second: Entrant) -> Trial:
        job = self._job(first, second)
        against = "itself" if first is second else _OPPONENT
        self._on_event(GameStarted(job.key, first.name, second.name, ""))
        players: dict[Seat, _Timed] = {"first": self._player(first), "second": self._player(second)}
        clock = Clock(self._seconds, charge="fair")
        record = play(job, players, clock, sandbox=self._factory.level, watch=self._turn)
        seats: tuple[Seat, ...] = ("first", "second") if first is second else ("second",)
        if record.fault is not None and record.fault.player not in seats:
            raise Void(f"{_OPPONENT} itself broke the rule {record.fault.rule!r}: {record.fault.detail}")
        own = [players[seat] for seat in seats]
        ready = [player.startup for player in own if player.startup is not None]
        refused = (plain(line, limit=300) for player in own for line in player.refused().splitlines())
        return Trial(against, seats, record, min(ready, default=None), tuple(refused))

    def _job(self, first: Entrant, second: Entrant) -> Job:
        secret, game = new_secret(), self._game
        return Job(
            league="check", key="1:1-2", game=game, first=first.record(), second=second.record(),
            seconds=self._seconds, start=game.start(derive(secret, "start")).text, opening=(), seed=0,
            seed_first=derive(secret, "first"), seed_second=derive(secret, "second"),
        )  # fmt: skip

    def _player(self, entrant: Entrant) -> _Timed:
        made = self._factory.player(entrant, charge="fair", seconds=self._seconds, patience=self._patience)
        return _Timed(made)

    def _turn(self, turn: Turn) -> None:
        self._on_event(TurnPlayed("1:1-2", turn.state.turns, turn.move, None, {}, turn.state))

    def _slow(self, line: str) -> None:
        self._on_event(Notice(f"slow: no answer for {SLOW_SECONDS:g} s; it is at {plain(line, limit=300)}"))

"""The check of an agent before any league: what would disqualify it, found out in the sandbox."""

import contextlib
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.competition.explanation import what_happened
from arena.competition.league_file import entrant_line
from arena.competition.seeds import derive, new_secret
from arena.competition.settings import Settings
from arena.entrants.entrant import Agent, Entrant, entrant_of, fitted, resolve
from arena.entrants.grants import check_installed
from arena.entrants.staging import home
from arena.errors import BadSettings, Void
from arena.referee.agent_player import AgentPlayer
from arena.referee.engine_player import EnginePlayer
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.sandbox.launch import Rules
from arena.sandbox.level import Level, level
from games.base import Color, Game, join_parameters, load, split_parameters
from games.errors import ArenaError
from results.notation.json_form import JsonObject
from results.pages.page import result_text, shown, table
from results.record import FaultRecord, GameRecord, Seat
from results.text import plain

__all__ = ["MOST_SECONDS", "CheckFailed", "Report", "Trial", "check", "check_entrant", "short_game"]

#: The most that a player gets for one of the two games, unless told otherwise.
MOST_SECONDS: Final = 60.0
_TURNS: Final = 12
_ATTEMPTS: Final = 3
_OPPONENT: Final = "random"
_SLOW: Final = frozenset({"startup", "time"})  # once is enough: nobody wants to wait for it again


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


def short_game(name: str) -> Game:
    """The game of this name, with fewer turns where it has a turn limit that nobody set."""
    game = load(name)
    if "turns" not in game.parameters:
        return game
    bare, parameters = split_parameters(name)
    return load(join_parameters(bare, {"turns": _TURNS} | parameters))


class CheckFailed(ArenaError):
    """An agent broke a rule in its check; `report` has the details."""

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text)
        self.report = report


def check(agent: Agent, *, game: str = "microchess", time: float | None = None, needs: Sequence[str] = ()) -> Report:
    """Find out what would disqualify an agent: it plays two short games in the sandbox. Nothing is stored.

    The agent may break rules: then the report says so. Raises `UnknownAgent` or `BadSettings` if it cannot be tried.
    """
    settings = Settings.of({"game": game, "time": time, "needs": needs})
    line = entrant_line(agent)
    entrant = entrant_of(line.given, home=home(), text=line.text)
    return check_entrant(
        entrant,
        short_game(settings.game),
        seconds=settings.time.seconds if settings.time else None,
        needs=settings.needs,
    )


def check_entrant(entrant: Entrant, game: Game, *, seconds: float | None = None, needs: tuple[str, ...] = ()) -> Report:
    """Start an agent in the sandbox; play it against itself and against `random`.

    Raises `BadSettings` where the sandbox does not work, `Void` if we fail to play.
    """
    if entrant.is_human:
        raise BadSettings("a person cannot be checked")
    if level() == "none":
        raise BadSettings("the sandbox does not work on this machine, so no agent can be checked; see `arena doctor`")
    check_installed(needs, where="needs")
    entrant = fitted(entrant, game)
    budget = min(game.seconds, MOST_SECONDS) if seconds is None else seconds
    trials: list[Trial] = []
    with ProcessPlayers(Setup(game, Rules(), needs, home())) as factory:
        for opponent in (entrant, resolve(_OPPONENT, home=home())):
            trials.append(_replayed(factory, game, opponent, entrant, seconds=budget))
            if (fault := trials[-1].fault) is not None and fault.rule in _SLOW:
                break
        enforced = factory.level
    return Report(
        agent=plain(entrant.name, limit=60), hash=entrant.hash, game=join_parameters(game.name, game.parameters),
        sandbox=enforced, trials=tuple(trials),
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


def _replayed(factory: ProcessPlayers, game: Game, first: Entrant, second: Entrant, *, seconds: float) -> Trial:
    """A trial; what fails by our doing is played again."""
    for _ in range(_ATTEMPTS - 1):
        with contextlib.suppress(Void):
            return _trial(factory, game, first, second, seconds=seconds)
    return _trial(factory, game, first, second, seconds=seconds)


def _trial(factory: ProcessPlayers, game: Game, first: Entrant, second: Entrant, *, seconds: float) -> Trial:
    secret = new_secret()
    job = Job(
        league="check", key="1:1-2", game=game, first=first.record(), second=second.record(), seconds=seconds,
        start=game.start(derive(secret, "start")).text, opening=(), seed=0,
        seed_first=derive(secret, "first"), seed_second=derive(secret, "second"),
    )  # fmt: skip
    players: dict[Seat, _Timed] = {
        "first": _Timed(factory.player(first, charge="fair", seconds=seconds)),
        "second": _Timed(factory.player(second, charge="fair", seconds=seconds)),
    }
    record = play(job, players, Clock(seconds, charge="fair"), sandbox=factory.level)
    seats: tuple[Seat, ...] = ("first", "second") if first is second else ("second",)
    if record.fault is not None and record.fault.player not in seats:
        raise Void(f"{_OPPONENT} itself broke the rule {record.fault.rule!r}: {record.fault.detail}")
    own = [players[seat] for seat in seats]
    ready = [player.startup for player in own if player.startup is not None]
    refused = (plain(line, limit=300) for player in own for line in player.refused().splitlines())
    against = "itself" if first is second else _OPPONENT
    return Trial(against, seats, record, min(ready, default=None), tuple(refused))

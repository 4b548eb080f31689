"""The check of several agents, as of a class: one on each core at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from arena.competition.arguments import with_copied_game
from arena.competition.check import CheckTask, Report
from arena.competition.league_file import entrant_line
from arena.competition.settings import Settings
from arena.entrants.entrant import Entrant, entrant_of
from arena.entrants.grants import check_installed
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.execution.executor import Ok, Setup, cores, open_executor
from arena.sandbox.launch import Rules
from games.base import Game, load
from games.errors import ArenaError
from results.notation.json_form import JsonObject
from results.text import plain

__all__ = ["Checked", "check_all", "check_several"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One of several agents: its report, or why there is none. The text in it is safe to show."""

    source: str
    name: str
    report: Report | None = None
    why_not: str = ""

    @property
    def passed(self) -> bool:
        """Whether it broke no rule."""
        return self.report is not None and self.report.passed

    def as_json(self) -> JsonObject:
        """The report as JSON, with the text that named the agent."""
        found = {} if self.report is None else self.report.as_json()
        return {"source": self.source, "name": self.name, **found, "passed": self.passed, "why_not": self.why_not}


def check_several(
    agents: Sequence[str], *, game: str = "microchess", time: float | None = None, needs: Sequence[str] = (),
    on_done: Callable[[Checked], None] = lambda _: None,
) -> list[Checked]:  # fmt: skip
    """Check several agents, in the order in which they are named. `on_done` is called after each check."""
    settings = Settings.of(with_copied_game({"game": game, "time": time, "needs": needs}))
    done: dict[str, Checked] = {}
    entrants: list[Entrant] = []

    def add(checked: Checked) -> None:
        done[checked.source] = checked
        on_done(checked)

    for agent in dict.fromkeys(agents):
        try:
            entrants.append(_entrant(agent))
        except ArenaError as error:
            add(Checked(source=agent, name=plain(agent, limit=60), why_not=plain(str(error), limit=300)))
    seconds = settings.time.seconds if settings.time else None
    for entrant, report in check_all(entrants, load(settings.game), seconds=seconds, needs=settings.needs):
        name = plain(entrant.name, limit=60)
        if isinstance(report, str):
            add(Checked(source=entrant.agent, name=name, why_not=report))
        else:
            add(Checked(source=entrant.agent, name=name, report=report, why_not=report.why_not))
    return [done[agent] for agent in dict.fromkeys(agents)]


def _entrant(agent: str) -> Entrant:
    line = entrant_line(agent)
    found = entrant_of(line.given, home=home(), text=line.text)
    if found.is_human:
        raise BadSettings("a person cannot be checked")
    return found


def check_all(
    entrants: Sequence[Entrant], game: Game, *, seconds: float | None = None, needs: tuple[str, ...] = ()
) -> Iterator[tuple[Entrant, Report | str]]:
    """Check several agents, one on each core at a time: each with its report, or with the reason why we failed."""
    check_installed(needs, where="needs")
    if not entrants:
        return
    tasks = iter([CheckTask(entrant, game, seconds) for entrant in entrants])
    with open_executor(Setup(game, Rules(), needs), workers=min(len(cores()), len(entrants))) as executor:
        for outcome in executor.run(tasks):
            entrant = cast(CheckTask, outcome.task).entrant
            if isinstance(outcome, Ok):
                yield entrant, outcome.result
            else:
                yield entrant, f"we failed to check it: {plain(outcome.reason, limit=100)}"

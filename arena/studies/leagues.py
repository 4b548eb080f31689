"""The leagues of a study: their settings and plans.

The other modules of this room use the settings of `arena.competition` only through this one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.competition import plan as planning
from arena.competition.league_file import KEYS, EntrantLine, LeagueFile, read
from arena.competition.plan import Plan
from arena.competition.run import entrants_of
from arena.competition.settings import Settings, options
from arena.errors import BadSettings
from arena.formats import schedule
from arena.formats.swiss import swiss_rounds
from games.base import split_parameters
from results.league import League

__all__ = [
    "SETTING_KEYS", "GameSettings", "LeagueFile", "count_games", "game_settings", "make_plan", "read_agents",
    "read_settings", "trial_plan",
]  # fmt: skip

#: Keys of league files that a part may have. The study names its leagues, the caller chooses the workers, and a part
#: has a known number of games, so it is no ladder.
SETTING_KEYS: Final = tuple(key for key in KEYS if key not in ("name", "workers", *options("ladder")))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """How the games of a stored league are played; `game` includes its parameters."""

    name: str
    game: str
    seconds: float
    opening_turns: int


def read_settings(values: Mapping[str, object], folder: Path) -> LeagueFile:
    """The settings and entrants of a part; relative paths start at `folder`. `ValueError` describes the mistake."""
    file = read(values, folder)
    if len(file.entrants) < 2:
        raise ValueError("a league needs at least two entrants")
    return file


def read_agents(agents: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Agents as the command line names them; relative paths start at `folder`. `ValueError` describes a mistake."""
    return tuple(line.text for line in read({"entrants": list(agents)}, folder).entrants)


def count_games(file: LeagueFile) -> int:
    """The number of games of the league, without the extra games of a knockout."""
    settings, entrants = Settings(**file.settings), len(file.entrants)
    default = swiss_rounds(entrants) if settings.format == "swiss" else 1
    return schedule.count_games(settings.format, entrants, settings.rounds or default)


def make_plan(file: LeagueFile, overrides: Mapping[str, object], *, name: str, label: str) -> Plan:
    """The plan of a league. `overrides` replace settings; entrants are suspended only if the settings say so."""
    entrants = entrants_of([], lines=file.entrants)
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings(f"{label}: a study cannot have human players; use `arena play`")
    settings = Settings.of({"suspend_after": None, **file.settings, **overrides})
    return planning.make_plan("league", entrants, replace(settings, name=name))


def trial_plan(agents: Sequence[str], *, game: str, label: str) -> Plan:
    """A plan that is never played: with it, agents can be started once to see that they play this game."""
    return make_plan(LeagueFile({"game": game}, tuple(map(EntrantLine, agents))), {}, name=label, label=label)


def game_settings(league: League) -> GameSettings:
    """The settings that are stored with a league, as far as a report shows them."""
    settings = Settings.restored(league.settings)
    name, _ = split_parameters(settings.game)
    return GameSettings(
        name=name,
        game=settings.game,
        seconds=settings.time.seconds if settings.time else 0.0,
        opening_turns=settings.opening_turns,
    )

"""The arguments of the functions of the API: each mistake is a `BadSettings` that names the argument."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from arena.competition import values
from arena.competition.settings import Group, Settings, options, shown
from arena.competition.values import Kind
from arena.entrants.entrant import Agent
from arena.entrants.games import given_game
from arena.errors import BadSettings
from games.base import join_parameters, split_parameters
from results.standings.sprt import Sprt

__all__ = ["agent_list", "at_levels", "check_value", "read_sprt", "settings_for", "with_copied_game"]


def agent_list(agents: Iterable[Agent]) -> list[Agent]:
    """The agents of a league; a single agent is not a list of agents."""
    if isinstance(agents, str | Path | type | Mapping) or not isinstance(agents, Iterable):
        raise BadSettings(f"the agents of a league must be a list, not {shown(agents)}")
    return list(agents)


def settings_for(command: str, given: Mapping[str, object], *groups: Group) -> Settings:
    """The settings of a function of the API that takes only those of some groups."""
    taken = options(*groups)
    if other := [name for name in given if name in options() and name not in taken]:
        raise BadSettings(f"{command} has no setting {other[0]}; it has {', '.join(taken)}")
    return Settings.of(with_copied_game(given))


def with_copied_game(given: Mapping[str, object]) -> Mapping[str, object]:
    """The settings that a user gives; a game that is named by its file is copied and named by its hash."""
    game = given.get("game")
    return {**given, "game": given_game(game)} if isinstance(game, str) else given


def check_value(name: str, kind: Kind, value: object) -> None:
    """Raise `BadSettings` if an argument is not of this kind."""
    try:
        kind.read(value)
    except ValueError as error:
        raise BadSettings(f"{name} {error}, not {shown(value)}") from error


def at_levels(engine: Agent, levels: Sequence[int]) -> list[str]:
    """Stockfish at each of these levels, as the command line names it."""
    name, own = split_parameters(engine) if isinstance(engine, str) else ("", {})
    if name != "stockfish" or "level" in own:
        raise BadSettings(f"levels need `stockfish` without a level of its own, not {shown(engine)}")
    if not isinstance(levels, list | tuple | range):
        raise BadSettings(f"levels must be a list of whole numbers, not {shown(levels)}")
    for level in levels:
        check_value("each level", values.whole(least=0, most=20), level)
    if len(set(levels)) < len(levels):
        raise BadSettings("levels must name each level only once")
    return [join_parameters(name, own | {"level": level}) for level in levels]


def read_sprt(given: tuple[float, float] | Sprt) -> Sprt:
    """The sequential test that is given as a value of its own or as (elo0, elo1)."""
    if isinstance(given, Sprt):
        return given
    is_pair = isinstance(given, tuple | list) and len(given) == 2
    if not is_pair or not all(isinstance(elo, int | float) for elo in given):
        raise BadSettings(f"sprt must be two numbers, (elo0, elo1), or an arena.Sprt, not {shown(given)}")
    try:
        return Sprt(*given)
    except ValueError as error:
        raise BadSettings(str(error)) from error

"""Whom a visitor can play against: bundled and submitted agents, Stockfish, and what the organiser has named.

A visitor chooses from this list. It never names a file, a module or a program.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents.names import NAMES
from arena.entrants import catalog
from arena.entrants.engines import games_of
from arena.entrants.entrant import resolve
from arena.entrants.submissions import Submissions
from arena.errors import BadSettings
from games.base import split_parameters
from results.record import GameRecord, Seat
from results.text import plain

__all__ = ["HUMAN", "Opponent", "agent_text", "exhibitors", "opponents", "players_of"]

HUMAN: Final = "human"
#: Bundled agents that are made for tests.
_ODD: Final = frozenset({HUMAN, "malfunction"})
#: Bundled agents that bore those who watch, or are another one under a second name.
_PLAIN: Final = frozenset({"malfunction", "first_move", "random", "greedy", "negamax", "mcts_dev", HUMAN})
_STOCKFISH_OPTIONS: Final = ("level", "nodes", "depth")
_OPTION: Final = re.compile(r"\s*([a-z_]{1,30})\s*=\s*(-?[0-9]{1,12}(?:\.[0-9]{1,9})?)\s*")
_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Opponent:
    """A line of the list: what the form sends, how it is called, its games (empty for all), the options it takes."""

    value: str
    title: str
    kind: str
    games: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    hint: str = ""


def opponents(home: Path, given: Sequence[str] = ()) -> list[Opponent]:
    """Everybody who can be chosen. `given` are agents and engines of the organiser, named as on the command line."""
    return [*_bundled(), *_submitted(home), *(_given(text, home) for text in given)]


@functools.cache
def _bundled() -> tuple[Opponent, ...]:
    found = [
        Opponent(
            one.name, one.name, "bundled", (one.game,) if one.game else (),
            tuple(catalog.option_names(one.path) or ()), one.options,
        )
        for one in catalog.bundled()
        if one.name not in _ODD
    ]  # fmt: skip
    stockfish = Opponent(
        "stockfish", "stockfish", "engine", games_of("stockfish"), _STOCKFISH_OPTIONS, "level=20, nodes=10000"
    )
    return (*found, stockfish)


def _submitted(home: Path) -> Iterator[Opponent]:
    for one in Submissions(home).all_latest():
        yield Opponent(one.name, f"{one.name} ({plain(one.owner, 30)})", "submitted")


def _given(text: str, home: Path) -> Opponent:
    entrant = resolve(text, home=home)
    return Opponent(text, plain(entrant.name, _NAME), "given", games_of(entrant.protocol) if entrant.protocol else ())


def players_of(record: GameRecord) -> list[Opponent]:
    """The players of a stored game, to go on with it."""
    seats: tuple[Seat, Seat] = ("first", "second")
    pairs = zip(seats, (record.first, record.second), strict=True)
    return [
        Opponent(f"record:{record.id}:{seat}", plain(player.name, _NAME), "record", (record.game,))
        for seat, player in pairs
        if player.path != NAMES[HUMAN]
    ]


def agent_text(choice: str, options: str, *, game: str, known: Sequence[Opponent]) -> str:
    """What names the chosen agent, with its options; `BadSettings` if a visitor cannot choose that."""
    if choice == HUMAN:
        return HUMAN
    found = next((one for one in known if one.value == choice), None)
    if found is None:
        raise BadSettings(f"there is no opponent {plain(choice, _NAME)!r}")
    if found.games and game not in found.games:
        raise BadSettings(f"{found.title} plays {' and '.join(found.games)}, not {game}")
    pairs = [_pair(part, found) for part in options.split(",")] if options.strip() else []
    return f"{choice}:{','.join(pairs)}" if pairs else choice


def _pair(part: str, opponent: Opponent) -> str:
    # Only numbers: no option of a visitor names a file.
    pair = _OPTION.fullmatch(part)
    if pair is None:
        raise BadSettings(f"cannot read the option {plain(part, 40)!r}; write name=number, name=number")
    if pair[1] not in opponent.options:
        there = ", ".join(opponent.options) or "none"
        raise BadSettings(f"{opponent.title} has no option {pair[1]!r}; it has {there}")
    return f"{pair[1]}={pair[2]}"


def exhibitors(game: str, known: Sequence[Opponent]) -> list[str]:
    """The agents that play in an exhibition of a game."""
    bare, _ = split_parameters(game)
    chosen = [one for one in known if one.kind in ("bundled", "submitted") and one.value not in _PLAIN]
    return [one.value for one in chosen if not one.games or bare in one.games]

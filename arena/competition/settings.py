"""The settings of a league, each listed once.

Click options, the keys of league files, keyword arguments in Python, the stored form and its comparison with what is
given later all derive from the fields of `Settings`. To add a setting, add a field, and use it.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeAlias, cast, get_args

from arena.competition import values
from arena.competition.values import Kind
from arena.errors import BadSettings
from arena.formats import FORMATS
from arena.process.charge import Charge
from arena.referee.adjudication import Adjudication, DrawRule, ResignRule
from arena.referee.openings import Opening, OpeningOrder
from arena.sandbox.launch import DEFAULT_MEMORY, Rules
from games.base import join_parameters, split_parameters, upgraded
from results.pairing import Format
from results.standings.sprt import Sprt
from results.text import plain
from results.time_control import TimeControl

__all__ = ["Group", "Option", "Settings", "nearest", "options", "shown", "unknown_key"]

#: Which commands offer a setting. `internal` ones are set by a command, not by the user.
Group: TypeAlias = Literal["name", "game", "run", "league", "ladder", "workers", "internal"]

_SHOWN: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What is known of a setting besides its type and default.

    `default_text` is what help texts show where the default depends on something else. A setting that is not `stored`
    may differ when a league goes on.
    """

    kind: Kind
    help: str
    group: Group
    default_text: str = ""
    stored: bool = True


def _option(
    default: Any,
    kind: Kind,
    group: Group,
    text: str,
    *,
    default_text: str = "",
    stored: bool = True,
) -> Any:
    option = Option(kind=kind, help=text, group=group, default_text=default_text, stored=stored)
    return field(default=default, metadata={"option": option})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the games of a league are set up, played and limited; None means the default of the game or the format."""

    name: str | None = _option(
        None, values.TEXT, "name", "Name to store the games under. The same name continues a stored league.",
        stored=False,
    )  # fmt: skip
    game: str = _option(
        "microchess", values.TEXT, "game", "The game, with parameters after a colon: microchess:turns=60."
    )
    format: Format = _option(
        "round-robin", values.one_of(FORMATS), "league",
        "Who meets whom. round-robin: everybody meets everybody; gauntlet: the first agent meets all others; "
        "swiss: entrants with equal points meet; knockout: the loser of a tie is out; adaptive: those meet whose order "
        "by rating is open, until it is settled.",
    )  # fmt: skip
    rounds: int | None = _option(
        None, values.whole(least=1, most=values.MOST_ROUNDS), "league",
        "Number of double rounds: every two entrants that meet play two games in each, once each as first. "
        "Swiss: number of games for each entrant. Adaptive: at most as many games as a round robin of so many.",
        default_text="1; Swiss: as many as it takes to find a winner",
    )  # fmt: skip
    time: TimeControl | None = _option(
        None, values.TIME, "game",
        "Time for each player in each game, in seconds. 10+0.1: 0.1 s are added after each move; 40/60: 60 s for every "
        "40 moves.",
        default_text="set by the game",
    )  # fmt: skip
    move_time: float | None = _option(
        None, values.SECONDS, "game", "Time for each move, instead of a time for the game; unused time is lost."
    )
    turns: int | None = _option(
        None, values.whole(least=0), "game", "Turn limit; 0 for no limit.", default_text="set by the game", stored=False
    )
    opening_turns: int = _option(
        0, values.whole(least=0), "game",
        "Number of random turns at the start. Leagues and matches play each opening twice, with sides swapped.",
    )  # fmt: skip
    openings: Path | tuple[Opening, ...] | None = _option(
        None, values.OPENINGS, "game",
        "File with openings: games (chess: PGN; Go and Gomoku: SGF; Othello: transcripts) whose moves are all played, "
        "or positions, one per line (chess: EPD or FEN). Each is used for one round, twice, with sides swapped.",
    )  # fmt: skip
    opening_order: OpeningOrder = _option(
        "sequential", values.one_of(get_args(OpeningOrder)), "game", "Order in which the openings of the file are used."
    )
    position: str | None = _option(
        None, values.TEXT, "game",
        'Start position of every game, written as in the field `start` of `arena games --json`: '
        '"k3/4/4/1R2/3K w - - 0 1".',
    )  # fmt: skip
    resign: ResignRule | None = _option(
        None, values.whole_numbers(ResignRule, words="SCORE MOVES", least=1, most=100_000), "game",
        "A player loses when it reports a score of minus SCORE or less for MOVES own moves in a row. Scores are in "
        "hundredths of a pawn, as engines and agents report them.",
    )  # fmt: skip
    draw: DrawRule | None = _option(
        None, values.whole_numbers(DrawRule, words="SCORE MOVES AFTER", least=1, most=100_000), "game",
        "A draw when both players report a score of at most SCORE, for either side, for MOVES own moves in a row; not "
        "before both have made AFTER moves.",
    )  # fmt: skip
    seed: str | None = _option(
        None, values.SEED, "game",
        "Random seed. The same seed repeats openings, start positions and the games of bundled agents. For the random "
        "numbers of all other agents it must have 20 or more characters, so that no agent can guess it.",
        default_text="a random one", stored=False,
    )  # fmt: skip
    clock: Charge = _option(
        "fair", values.one_of(get_args(Charge)), "run",
        "What a move costs. fair: wall time without the time in which the machine ran something else; wall: wall time; "
        "cpu: CPU time.",
    )  # fmt: skip
    memory: int = _option(DEFAULT_MEMORY, values.MEMORY, "run", "Memory limit for each player.", default_text="1G")
    scratch: int = _option(0, values.SIZE, "run", "Size of a private folder in memory for each player; 0 for none.")
    needs: tuple[str, ...] = _option(
        (), values.LIBRARY_LIST, "run",
        "Library that agents use; loaded once before the games, so that its import costs no start-up time. "
        "Can be given several times.",
    )  # fmt: skip
    trust_agents: bool = _option(
        False, values.FLAG, "run", "Run agents without the sandbox. Only for code that you trust."
    )
    reports: bool = _option(
        False, values.FLAG, "run",
        "Ask agents what their search thinks (value, line, visits) and show it to those who watch. It is their claim; "
        "it changes nothing else.",
    )  # fmt: skip
    trust_file: bool = _option(
        False, values.FLAG, "internal",
        "Whether engines are started with the commands that are stored in the results file; no file can say so.",
        stored=False,
    )  # fmt: skip
    suspend_after: float | None = _option(
        0.1, values.SHARE, "league",
        "Suspend an entrant that faults in more than this share of at least 10 games; `never` to suspend nobody.",
        default_text="10%",
    )  # fmt: skip
    games: int | None = _option(
        None, values.whole(least=2, most=values.MOST_GAMES), "ladder",
        "End when so many games are stored, those of earlier runs included.", default_text="no limit",
    )  # fmt: skip
    until: Literal["settled"] | None = _option(
        None, values.one_of(("settled",)), "ladder",
        "End when the order is settled: of every two neighbours by rating it is certain (95 %) who is better, or that "
        "less than 30 Elo lie between them. Until then those meet whose order is open.",
    )  # fmt: skip
    workers: int | None = _option(
        None, values.whole(least=1), "workers", "Number of games played at the same time, each on its own core.",
        default_text="one per core", stored=False,
    )  # fmt: skip
    extended: int | None = _option(
        None, values.whole(least=1), "internal", "How many of the rounds (in a benchmark: games) were added later."
    )
    sprt: Sprt | None = _option(None, values.SPRT, "internal", "The sequential test that ends a match.")
    game_version: int | None = _option(
        None, values.whole(least=1), "internal", "Version of the game's rules; it rises when a rule changes."
    )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Self:
        """Settings from keyword arguments; `BadSettings` names an unknown key or a wrong value."""
        try:
            return cls(**read(given, underscores=True))
        except ValueError as error:
            raise BadSettings(str(error)) from error

    @classmethod
    def restored(cls, stored: Mapping[str, object]) -> Self:
        """The settings that `stored` wrote; keys that an older version did not know get their defaults.

        The rules of an earlier version of a game are named as its present version names them.
        """
        found = {}
        for name, option in _stored():
            if (key := _key(name)) in stored:
                found[name] = _restored(option.kind, stored[key], key, default=getattr(cls(), name))
        settings = cls(**found)
        if settings.game_version is None:
            return settings
        name, given = split_parameters(settings.game)
        parameters, version = upgraded(name, given, settings.game_version)
        return replace(settings, game=join_parameters(name, parameters), game_version=version)

    @property
    def adjudication(self) -> Adjudication:
        """When games end early."""
        return Adjudication(self.resign, self.draw)

    @property
    def rules(self) -> Rules | None:
        """The limits of the sandbox; None if agents are trusted."""
        return None if self.trust_agents else Rules(memory=self.memory, scratch=self.scratch)

    def stored(self) -> dict[str, object]:
        """Everything that must stay the same while a league goes on, as JSON."""
        return {_key(name): option.kind.store(getattr(self, name)) for name, option in _stored()}

    def differences(self, stored: Self) -> Iterator[str]:
        """The settings that differ from the stored ones, one text for each."""
        now, before = self.shown(), stored.shown()
        compared = zip(self.stored().items(), stored.stored().values(), strict=True)
        for (key, value), other in compared:
            if value != other and key != "extended":  # what was added shows in the rounds
                # Two lists of start positions can differ and look alike.
                differs = f"{key} was {before[key]}, is {now[key]}" if before[key] != now[key] else f"{key} differ"
                yield differs

    def shown(self) -> dict[str, str]:
        """Every stored setting as text, by its key."""
        found = {}
        for name, option in _stored():
            value = getattr(self, name)
            empty = "never" if option.kind is values.SHARE else "none"
            found[_key(name)] = empty if value is None or value == () else plain(option.kind.show(value), _SHOWN)
        return found


def _restored(kind: Kind, stored: object, key: str, *, default: object) -> Any:
    """A stored value, checked like one that a user gives: the file may come from anybody."""
    try:
        value = kind.restore(stored)
        # The format of a match is not one that a user gives; reading the league has checked it.
        return value if key == "format" or value is default is None else kind.read(value)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadSettings(f"the stored setting {key} makes no sense: {shown(stored)}; restore a backup") from error


def options(*groups: Group) -> dict[str, Option]:
    """The settings of these groups by field name, in the order of the class; without a group all but internal ones."""
    found = {each.name: _of(each) for each in fields(Settings)}
    return {
        name: option
        for name, option in found.items()
        if (option.group in groups if groups else option.group != "internal")
    }


def read(given: Mapping[str, object], *, underscores: bool = False, more: Sequence[str] = ()) -> dict[str, Any]:
    """Check values given by key: TOML keys have dashes, keyword arguments underscores. `ValueError` says what is wrong.

    `more` are keys that are known besides, for the text about an unknown key.
    """
    known = {name if underscores else _key(name): (name, option.kind) for name, option in options().items()}
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            raise ValueError(unknown_key(key, [*known, *more]))
        name, kind = known[key]
        if value is None and getattr(Settings(), name) is None:  # not given
            continue
        try:
            found[name] = kind.read(value)
        except ValueError as error:
            raise ValueError(f"{key} {error}, not {shown(value)}") from error
    return found


def unknown_key(key: str, known: Sequence[str]) -> str:
    """The text about a key that does not exist."""
    return f"unknown key {key!r}; {nearest(key, known, otherwise='known keys are')}"


def nearest(word: str, known: Sequence[str], *, otherwise: str) -> str:
    """A hint at the nearest of the known words, or at all of them."""
    dashed = word if any("_" in one for one in known) else word.replace("_", "-")
    near = difflib.get_close_matches(dashed.lower(), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"{otherwise} {', '.join(known)}"


def shown(value: object) -> str:
    """A value as it is quoted in a message."""
    return plain(repr(str(value) if isinstance(value, Path) else value), _SHOWN)


def _of(each: "Field[Any]") -> Option:
    return cast(Option, each.metadata["option"])


def _stored() -> Iterator[tuple[str, Option]]:
    return ((each.name, _of(each)) for each in fields(Settings) if _of(each).stored)


def _key(name: str) -> str:
    return name.replace("_", "-")

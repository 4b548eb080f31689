"""UCI: playing against chess engines, and against engines that know the 4x5 board of microchess."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from agents.external.protocol import OnThought, Starts
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Game, Parameters
from games.errors import BadParameters, BadPosition, IllegalMove
from stockfish_bridge.errors import BrokenPosition
from stockfish_bridge.limit import CLOCK, LIMITS, Limit, read_limit
from stockfish_bridge.position import check_position
from stockfish_bridge.uci_syntax import (
    MICROCHESS_VARIANTS,
    VARIANT_OPTION,
    Go,
    Option,
    Position,
    SetOption,
    read_bestmove,
    read_name,
    read_score,
    read_thought,
)

__all__ = ["SearchResult", "Uci", "normalized", "only_move", "position_command"]

_VARIANT_PATH: Final = "VariantPath"
_CHESS960: Final = "UCI_Chess960"
#: Words of the command `go` that are easily taken for limits of an entrant.
_NOT_OPTIONS: Final = frozenset(
    ["binc", "btime", "infinite", "mate", "movestogo", "movetime", "searchmoves", "winc", "wtime"]
)
#: More options than any engine has; further options are ignored.
_MOST_OPTIONS: Final = 500


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The end of a search: the move as the engine wrote it, and the last exact score for the side to move."""

    move: str
    score: int | None


class Uci:
    """The UCI conversation with one engine. Options other than the limit are options of the engine.

    The options `if_offered` are set only if the engine offers them.
    """

    games: ClassVar[tuple[str, ...]] = ("chess", "microchess")
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters, *, if_offered: Parameters | None = None) -> None:
        if game.name not in self.games:
            raise BadParameters(f"uci engines play {' and '.join(self.games)}, not {game.name}")
        self._game = game
        self.limit: Limit = read_limit(options, CLOCK)
        self._options = _engine_options(options)
        given = {key.lower() for key in self._options}
        if_offered = {"Threads": 1, **(if_offered or {})}
        self._if_offered = {key: value for key, value in if_offered.items() if key.lower() not in given}
        self._offered: dict[str, Option] = {}
        self._name = ""
        self.wants_score = False  # engines say it anyway
        self.score: int | None = None
        self.on_thought: OnThought | None = None

    @property
    def name(self) -> str:
        """The `id name` of the engine; unfiltered, and empty before the handshake."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Ask for the engine's name and options, and set the entrant's options."""
        self._read_options(channel, deadline)
        for name, value in self._if_offered.items():
            if self._option(name) is not None:
                self._set(channel, name, value)
        for name, value in self._options.items():
            self._set(channel, name, value)
            if name.lower() == _VARIANT_PATH.lower():
                self._read_options(channel, deadline)  # a variant file adds variants
        if self._game.name == "microchess":
            self._choose_variant(channel)
        self._wait_until_ready(channel, deadline)

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Announce a new game, so that the engine forgets the one before."""
        if self._game.name == "chess":
            self._choose_castling(channel, start)
        channel.send("ucinewgame")
        self._wait_until_ready(channel, deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Ask for a move. A forced move is returned without asking."""
        state = history.state
        self.score = None
        only = only_move(history)
        if only is not None:
            return only
        position = position_command(normalized(self._game, history.start), history.moves)
        check_position(state.text)
        result = self.search(channel, position, self.limit.go(times, state.turn), deadline, hear=self.on_thought)
        raw, self.score = result.move, result.score
        if not raw:
            raise Fault("protocol", "ended its search without a move")
        try:
            return str(state.parse(raw))
        except IllegalMove:
            return raw

    def search(
        self, channel: Channel, position: Position, go: Go, deadline: float, *, hear: OnThought | None = None
    ) -> SearchResult:
        """Search a position, which the caller has checked; `hear` is told what the engine says meanwhile."""
        channel.send(str(position))
        # After this, a late reply to an earlier search cannot be mistaken for the reply to this one.
        self._wait_until_ready(channel, deadline)
        channel.send(str(go))
        score: int | None = None
        while True:
            line = channel.receive(deadline)
            move = read_bestmove(line)
            if move is not None:
                return SearchResult(move, score)
            if hear is not None and (thought := read_thought(line)) is not None:
                hear(thought)
            exact = read_score(line)
            score = score if exact is None else exact

    def end(self, channel: Channel) -> None:
        """Send `quit`."""
        channel.send("quit")

    def _read_options(self, channel: Channel, deadline: float) -> None:
        """Ask for name and options; can be repeated when the options have changed."""
        channel.send("uci")
        self._offered.clear()
        while (line := channel.receive(deadline)).split(maxsplit=1)[:1] != ["uciok"]:
            self._name = read_name(line) or self._name
            option = Option.read(line)
            if option is not None and len(self._offered) < _MOST_OPTIONS:
                self._offered[_option_key(option.name)] = option

    def _option(self, name: str) -> Option | None:
        """The engine's option of this name: in any case, with `_` for a space."""
        return self._offered.get(_option_key(name))

    def _set(self, channel: Channel, name: str, value: int | float | str) -> None:
        """Set an option; `Fault` if the engine does not have the option or the value."""
        option = self._option(name)
        if option is None:
            raise Fault("protocol", f"has no option {name!r}", {"option": name})
        text = option.text(value)
        if text is None:
            raise Fault("protocol", f"has no value {value!r} for its option {option.name!r}", {"option": name})
        channel.send(str(SetOption(option.name, None if option.kind == "button" else text)))

    def _choose_castling(self, channel: Channel, start: str) -> None:
        """Tell the engine whether castling is written as king takes rook, if it knows both ways."""
        try:
            chess960 = getattr(self._game.position(start), "chess960", False)
        except BadPosition:
            return  # of microchess: the back-end for standard chess writes it as chess later
        if self._option(_CHESS960) is not None:
            self._set(channel, _CHESS960, str(chess960))
        elif chess960:
            raise Fault("protocol", f"has no option {_CHESS960!r}, and the position is one of Chess960")

    def _choose_variant(self, channel: Channel) -> None:
        option = self._option(VARIANT_OPTION)
        if option is None:
            # An engine without variants may be written for microchess only. One that knows Chess960 is not.
            if self._option(_CHESS960) is not None:
                raise Fault("protocol", "plays on 64 squares only; for Stockfish write stockfish:backend=standard")
            return
        if any(key.lower() == VARIANT_OPTION.lower() for key in self._options):
            return
        variant = next((variant for variant in MICROCHESS_VARIANTS if option.text(variant) is not None), None)
        if variant is None:
            raise Fault("protocol", f"has no variant {' or '.join(MICROCHESS_VARIANTS)}; does it need a VariantPath?")
        self._set(channel, VARIANT_OPTION, variant)

    def _wait_until_ready(self, channel: Channel, deadline: float) -> None:
        """Wait until the engine has processed all commands; drop what it sends meanwhile."""
        channel.send("isready")
        while channel.receive(deadline).strip() != "readyok":
            pass


def only_move(history: History) -> str | None:
    """The move if there is only one legal move; `BrokenPosition` if there is none."""
    moves = history.state.legal_moves
    if not len(moves):
        raise BrokenPosition(f"cannot send {history.state.text!r} to an engine: there is no legal move")
    return str(moves[0]) if len(moves) == 1 else None


def normalized(game: Game, start: str) -> str:
    """The position `start` in the form that engines get; `BrokenPosition` if it is not a position of the game."""
    # Microchess can also be written on 64 squares, and with castling letters that have no effect.
    try:
        return game.position(start).text
    except BadPosition as error:
        raise BrokenPosition(f"cannot send {start!r} to an engine: {error}") from error


def position_command(start: str, moves: tuple[str, ...]) -> Position:
    """The `position` command; `BrokenPosition` if the start must not be sent to an engine."""
    check_position(start)
    return Position(start, moves)


def _option_key(name: str) -> str:
    return " ".join(name.replace("_", " ").lower().split())


def _engine_options(options: Parameters) -> Mapping[str, int | float | str]:
    for key, value in options.items():
        if key in _NOT_OPTIONS:
            hint = f"; write seconds={value / 1000:g}" if key == "movetime" and isinstance(value, int | float) else ""
            raise BadParameters(f"uci has no limit {key!r}, only {', '.join(LIMITS)}{hint}")
        if any(not sign.isprintable() for sign in f"{key}{value}"):
            raise BadParameters(f"option {key!r} contains a character that cannot be sent in a line")
    return {key: value for key, value in options.items() if key not in LIMITS}

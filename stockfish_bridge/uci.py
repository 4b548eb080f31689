"""UCI: any chess engine, and engines that know the 4x5 board, as players."""

from collections.abc import Mapping
from typing import ClassVar, Final

from agents.external.dialect import Starts
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Game, Parameters
from games.errors import BadParameters, BadPosition, IllegalMove
from stockfish_bridge.errors import BrokenPosition
from stockfish_bridge.limit import CLOCK, LIMITS, Limit, read_limit
from stockfish_bridge.position import check_position
from stockfish_bridge.reply import Found
from stockfish_bridge.speech import Speech

__all__ = ["Uci", "only_move", "position_words", "sound"]

#: The names under which engines know microchess: of our variant definition, and of the game.
_VARIANTS: Final = ("arenamicro", "microchess")
_VARIANT: Final = "UCI_Variant"
_VARIANT_PATH: Final = "VariantPath"
_CHESS960: Final = "UCI_Chess960"


class Uci:
    """The protocol of most chess engines. Options other than the limit are the engine's own.

    `wishes` are options too, set only where the engine offers them.
    """

    games: ClassVar[tuple[str, ...]] = ("chess", "microchess")
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters, *, wishes: Parameters | None = None) -> None:
        if game.name not in self.games:
            raise BadParameters(f"uci engines play {' and '.join(self.games)}, not {game.name}")
        self._game = game
        self.limit: Limit = read_limit(options, CLOCK)
        self._options = _engine_options(options)
        given = {key.lower() for key in self._options}
        wishes = {"Threads": 1, **(wishes or {})}
        self._wishes = {key: value for key, value in wishes.items() if key.lower() not in given}
        self._speech = Speech()

    @property
    def name(self) -> str:
        """The `id name` of the engine; raw, and empty before it has said."""
        return self._speech.name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Learn its name and options, and set those of the entrant."""
        speech = self._speech
        speech.greet(channel, deadline)
        for name, value in self._wishes.items():
            if speech.option(name) is not None:
                speech.set(channel, name, value)
        for name, value in self._options.items():
            speech.set(channel, name, value)
            if name.lower() == _VARIANT_PATH.lower():
                speech.greet(channel, deadline)  # its variants are others now
        if self._game.name == "microchess":
            self._choose_variant(channel)
        speech.wait(channel, deadline)

    def _choose_variant(self, channel: Channel) -> None:
        option = self._speech.option(_VARIANT)
        if option is None:
            # Without variants it is taken for one that knows nothing but microchess, unless it tells otherwise.
            if self._speech.option(_CHESS960) is not None:
                raise Fault("protocol", "plays on 64 squares only; for Stockfish write stockfish:backend=standard")
            return
        if any(key.lower() == _VARIANT.lower() for key in self._options):
            return
        fitting = next((variant for variant in _VARIANTS if option.text(variant) is not None), None)
        if fitting is None:
            raise Fault("protocol", f"knows no variant {' or '.join(_VARIANTS)} (is there a VariantPath to give it?)")
        self._speech.set(channel, _VARIANT, fitting)

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Tell it that a new game begins, so that it forgets the one before."""
        channel.send("ucinewgame")
        self._speech.wait(channel, deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Its move; the only move is played without asking."""
        state = history.state
        only = only_move(history)
        if only is not None:
            return only
        position = position_words(sound(self._game, history.start), history.moves)
        check_position(state.text)
        raw = self.search(channel, position, self.limit.words(times, state.turn), deadline).move
        if not raw:
            raise Fault("protocol", "ended its search without a move")
        try:
            return str(state.parse(raw))
        except IllegalMove:
            return raw

    def search(self, channel: Channel, position: str, go: str, deadline: float) -> Found:
        """One search of a position that was checked."""
        return self._speech.search(channel, position, go, deadline)

    def end(self, channel: Channel) -> None:
        """Say goodbye."""
        channel.send("quit")


def only_move(history: History) -> str | None:
    """The move that needs no engine; `BrokenPosition` where there is none at all."""
    moves = history.state.legal_moves
    if not len(moves):
        raise BrokenPosition(f"no engine is asked about {history.state.text!r}: there is no legal move")
    return str(moves[0]) if len(moves) == 1 else None


def sound(game: Game, start: str) -> str:
    """The position `start` in the one form that engines are given; `BrokenPosition` if it is none."""
    # People write microchess on 64 squares too, and castling letters that mean nothing.
    try:
        return game.position(start).text
    except BadPosition as error:
        raise BrokenPosition(f"no engine is asked about {start!r}: {error}") from error


def position_words(start: str, moves: tuple[str, ...]) -> str:
    """What follows the word `position`; `BrokenPosition` if an engine may not be given the start."""
    check_position(start)
    return " ".join([f"fen {start}", *(["moves", *moves] if moves else [])])


def _engine_options(options: Parameters) -> Mapping[str, int | float | str]:
    for key, value in options.items():
        if any(not sign.isprintable() for sign in f"{key}{value}"):
            raise BadParameters(f"the option {key!r} holds what cannot be said in one line")
    return {key: value for key, value in options.items() if key not in LIMITS}

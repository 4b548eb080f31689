"""The boards of running games, move by move, as data for the browser."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from arena.referee.live_sheet import LiveGame
from arena.web.thoughts import marks_by_share
from games.base import Game, Move, State, load_stored
from results.notation.replay import BROKEN
from results.pages.boards import NO_BOARD, board, film, text_board
from results.record import Seat
from results.text import plain

__all__ = ["Followed", "Frame", "board_frame", "claim_text"]

_NAME: Final = 60
_SEATS: Final[tuple[Seat, Seat]] = ("first", "second")
#: What a frame holds, ready for JSON.
Frame = dict[str, object]


class Followed:
    """A running game with the state it has reached; a game that cannot be replayed here has no board."""

    def __init__(self, game: LiveGame) -> None:
        self.game = game
        self._rules: Game | None = None
        self._state: State | None = None
        self._last: tuple[State, object] | None = None
        self._made = 0
        try:
            self._rules = load_stored(game.game)
            self._state = self._rules.position(game.start)
        except BROKEN:
            return
        self._follow(game.moves)

    def advance(self, game: LiveGame) -> Iterator[Frame]:
        """Go on to what the game has become; a frame for every new turn."""
        before = len(self.game.turns)
        for number in range(before, len(game.turns)):
            self.game = _cut(game, number + 1)
            self._follow(self.game.moves)
            yield self.frame()
        self.game = game

    def _follow(self, moves: list[str]) -> None:
        try:
            if self._rules is not None and len(moves) < self._made:  # moves were taken back
                self._state, self._last, self._made = self._rules.position(self.game.start), None, 0
            while self._state is not None and self._made < len(moves):
                move = self._state.parse(moves[self._made])
                self._state = self._state.forward(move)
                self._last = (self._state, move)
                self._made += 1
        except BROKEN:
            self._state = None

    def html(self) -> str:
        """The board as it stands, as HTML."""
        if self._state is None:
            return '<p class="missing">no board</p>'
        return board(self._state, self._last[1] if self._last is not None else None)

    def text(self) -> str:
        """The board as it stands, as text."""
        return NO_BOARD if self._state is None else text_board(self._state)

    def frame(self) -> Frame:
        """The board, the caption and the clocks."""
        return {"id": self.game.id, "caption": self.caption(), **self.clocks(), **self._board()}

    def _board(self) -> Mapping[str, object]:
        return {} if self._state is None else board_frame(self._state, None if self._last is None else self._last[1])

    def caption(self) -> str:
        """The last move in words."""
        turns = len(self.game.moves)
        if not self.game.turns:
            return "both players are starting"
        if not turns:
            return "start"
        return plain(f"turn {turns}: {self.game.moves[-1]}", 100)

    def clocks(self) -> Mapping[str, object]:
        """The seconds left, whose clock runs, and for how long it has been running."""
        if not self.game.turns:
            left = self.game.seconds
            return {"clocks": [left, left], "running": None, "age": 0.0}
        last = self.game.turns[-1]
        return {"clocks": [last.first, last.second], "running": self._seat(), "age": max(0.0, time.time() - last.at)}

    def _seat(self) -> str | None:
        if self._state is None or self._rules is None or self._state.is_game_over():
            return None
        return "first" if self._state.turn == self._rules.first else "second"

    def claims(self) -> dict[Seat, str]:
        """What both players claim about their search, in words."""
        return {seat: claim_text(self.game.claims[seat]) for seat in _SEATS if seat in self.game.claims}

    def claim(self, seat: Seat) -> Frame:
        """What a player claims, for the browser: in words, as the expected score of first, as marks on the board."""
        said = self.game.claims.get(seat, {})
        weights = said.get("visits") or said.get("policy")
        is_asked = self._state is not None and seat == self._seat()
        marks = marks_by_share(self._state, weights) if self._state and is_asked and isinstance(weights, dict) else []
        value = said.get("value")
        is_known = isinstance(value, int | float)
        return {
            "text": claim_text(said),
            "value": (value if seat == "first" else 1 - value) if is_known else None,  # type: ignore[operator]
            "marks": marks,
        }


def board_frame(state: State, last: Move | None) -> Mapping[str, object]:
    """A board as `board.js` paints it, with the last move marked; its text where the game describes no board."""
    shots = film([state], []) if last is None else film([state, state], [last])
    if shots is None:
        return {"text": text_board(state)}
    return {"things": shots.things, "change": shots.changes[0], "last": shots.last[-1], "check": shots.check[-1]}


def _cut(game: LiveGame, turns: int) -> LiveGame:
    """The game as it was after so many of its turns."""
    return replace(game, turns=game.turns[:turns])


def claim_text(claim: Mapping[str, object]) -> str:
    """A report in one line."""
    value, line = claim.get("value"), claim.get("line")
    said = [
        *([f"value {value:.3f}"] if isinstance(value, float) else []),
        *([f"depth {claim['depth']}"] if claim.get("depth") else []),
        *([f"{claim['nodes']:,} nodes"] if claim.get("nodes") and isinstance(claim["nodes"], int) else []),
        *([" ".join(map(str, line[:8]))] if isinstance(line, list) and line else []),
        *([str(claim["text"])] if claim.get("text") else []),
    ]
    return plain(", ".join(said), 200)

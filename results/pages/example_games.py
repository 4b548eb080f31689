"""Games to step through inside a page: a list to choose from, a board, and buttons."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.base import Game, Move, State
from games.errors import IllegalMove
from results.pages.boards import board, film, text_board, text_changes
from results.pages.page import data, shown
from results.text import counted, plain

__all__ = ["SCRIPTS", "ExampleGame", "example_games"]

#: The script files that a page with example games needs.
SCRIPTS: Final = ("board.js", "example_games.js")

_MOST_TURNS: Final = 400


@dataclass(frozen=True, slots=True)
class ExampleGame:
    """A game as the texts of its moves; an empty start is that of the game. The title is plain text."""

    title: str
    moves: tuple[str, ...]
    start: str = ""


def example_games(game: Game, examples: Sequence[ExampleGame]) -> list[str]:
    """The body of a section, as HTML; moves that the rules do not accept end their game."""
    shows = [_states(game, example) for example in examples]
    films = [film([state for state, _ in states], [move for _, move in states[1:]]) for states in shows]
    captions = [
        [_caption(number, states, example) for number in range(len(states))]
        for states, example in zip(shows, examples, strict=True)
    ]
    value = {
        "films": [None if one is None else one.as_dict() for one in films],
        "texts": [text_changes([text_board(state) for state, _ in states]) for states in shows],
        "captions": captions,
    }
    options = "".join(f'<option value="{n}">{shown(example.title)}</option>' for n, example in enumerate(examples))
    last = board(*shows[-1][-1]) if shows else ""
    text = shown(text_board(shows[-1][-1][0]), 20_000, multiline=True) if shows else ""
    return [
        f'<p><label>game <select id="choice" disabled>{options}</select></label></p>',
        '<div class="side">',
        f'<figure><div id="board">{last}</div><figcaption id="caption" aria-live="polite"></figcaption></figure>',
        '<div id="controls" hidden>',
        *(
            f'<button type="button" id="{name}" aria-label="{label}" title="{label}">{sign}</button>'
            for name, sign, label in (
                ("start", "&laquo;", "start"), ("back", "&lsaquo;", "one turn back"),
                ("next", "&rsaquo;", "one turn on"), ("end", "&raquo;", "end"),
            )
        ),
        '<input type="range" id="slider" aria-label="turn" min="0" max="0" value="0">',
        "</div></div>",
        f"<details><summary>last position as text</summary><pre>{text}</pre></details>",
        data("data", value),
    ]  # fmt: skip


def _states(game: Game, example: ExampleGame) -> list[tuple[State, Move | None]]:
    state = game.position(example.start) if example.start else game.start()
    found: list[tuple[State, Move | None]] = [(state, None)]
    for text in example.moves[:_MOST_TURNS]:
        try:
            move = state.parse(text)
            state = state.forward(move)
        except IllegalMove:
            break
        found.append((state, move))
    return found


def _caption(number: int, states: Sequence[tuple[State, Move | None]], example: ExampleGame) -> str:
    if number == 0:
        return f"start, {counted(len(states) - 1, 'turn')} follow{'s' * (len(states) == 2)}"
    state = states[number][0]
    ending = f", {state.ending.reason}" if state.ending is not None else ""
    return plain(f"turn {number} of {len(states) - 1}: {example.moves[number - 1]}{ending}", 100)

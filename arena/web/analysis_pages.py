"""The pages on which an agent analyses a position, and on which a stored game is played again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from arena.web.opponents import Opponent
from arena.web.play_pages import favourite_of, options_of
from arena.web.shell import Visit, framed, link
from arena.web.tables import Table
from arena.web.texts_analysis import ANALYSIS
from results.notation.replay import replay
from results.pages.boards import board
from results.pages.page import data, shown
from results.record import GameRecord

__all__ = ["SECONDS", "Question", "analysis_page", "rerun_page"]

#: How long an agent may think.
SECONDS: Final = (1, 2, 5, 10, 30, 60)
_NAME: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A position of a stored game, who can be asked about it, and what is filled in."""

    record: GameRecord
    turn: int
    known: Sequence[Opponent]
    given: Mapping[str, str] = field(default_factory=dict)


def analysis_page(visit: Visit, question: Question, *, table: Table | None = None, error: str = "") -> str:
    """The form, the board, and what the agent says if one was asked; without JavaScript the board is there."""
    text, record = visit.words, question.record
    where = text["position_of"].format(record=record.id, turn=question.turn, turns=record.turns)
    here = f"/game/{record.id}#turn-{question.turn}"
    table_facts = "" if table is None else f' data-table="{shown(table.id)}" data-name="{_title(table)}"'
    body = [
        f'<main id="content" class="analysis"{table_facts}>',
        f"<h1>{text['analysis']}</h1>",
        f'<p class="quiet">{text["about_analysis"]}</p>',
        f"<p>{where}. {link(here, text['back_to_game'])}</p>",
        *_problem(error),
        '<div class="play">',
        '<div class="side">',
        f'<div id="frame"><div id="stage">{_board(question) if table is None else table.board}</div></div>',
        *_form(visit, question),
        *([] if table is None else _switch(visit)),
        "</div>",
        '<div class="side">',
        *(["<noscript>", f"<p>{text['needs_script']}</p>", "</noscript>", *_answer(visit)] if table else []),
        "</div>",
        "</div>",
        "</main>",
        data("words", {key: text[key] for key in ANALYSIS}),
    ]
    scripts = [] if table is None else ["board.js", "analysis.js"]
    return framed(visit, text["analysis"], body, scripts=scripts)


def _problem(error: str) -> list[str]:
    return [f'<p class="warning" role="alert">{shown(error, 500)}</p>'] if error else []


def _title(table: Table) -> str:
    return shown(str(table.wanted.get("title", "")), _NAME)


def _board(question: Question) -> str:
    played = replay(question.record)
    if question.turn >= len(played.states):
        return f'<p class="missing">{shown(played.broken, 500)}</p>'
    return board(played.states[question.turn], played.moves[question.turn - 1] if question.turn else None)


def _form(visit: Visit, question: Question) -> Iterator[str]:
    text, given = visit.words, question.given
    yield '<form method="post" action="/analysis" class="ask">'
    yield f'<input type="hidden" name="record" value="{question.record.id}">'
    chosen = given.get("agent") or favourite_of(question.record.game)
    yield f'<label for="agent">{text["agent"]}</label><select id="agent" name="agent">'
    yield from options_of(visit, question.known, chosen=chosen)
    yield "</select>"
    yield f'<label for="options">{text["strength"]}</label>'
    filled = f' value="{shown(given["options"], 300)}"' if given.get("options") else ""
    yield f'<input id="options" name="options"{filled} autocomplete="off" spellcheck="false">'
    yield f'<label for="seconds">{text["thinking_time"]}</label><select id="seconds" name="seconds">'
    wanted = given.get("seconds", "5")
    for seconds in SECONDS:
        words = text["think_for"].format(n=seconds)
        yield f'<option value="{seconds}"{" selected" * (str(seconds) == wanted)}>{words}</option>'
    yield "</select>"
    yield '<p class="buttons">'
    yield f'<button name="turn" value="{question.turn}">{text["analyse"]}</button>'
    for name, sign, turn in (("turn_back", "&lsaquo;", question.turn - 1), ("turn_on", "&rsaquo;", question.turn + 1)):
        off = "" if 0 <= turn <= question.record.turns else " disabled"
        yield f'<button name="turn" value="{turn}" title="{text[name]}" aria-label="{text[name]}"{off}>{sign}</button>'
    yield "</p></form>"


def _switch(visit: Visit) -> Iterator[str]:
    """What is drawn on the board, and the end of the thinking."""
    text = visit.words
    yield f'<p class="buttons"><label for="marks">{text["on_board"]}</label><select id="marks">'
    for name in ("visits", "policy", "nothing"):
        yield f'<option value="{name}">{text[f"show_{name}"]}</option>'
    yield f'</select><button type="button" id="end">{text["stop"]}</button></p>'


def _answer(visit: Visit) -> Iterator[str]:
    """Where the script shows what the agent says."""
    text = visit.words
    yield '<p id="caption" role="status" aria-live="polite"></p>'
    yield '<p id="status" class="quiet"><span id="elapsed" aria-hidden="true"></span></p>'
    yield '<div id="thought" hidden>'
    yield '<svg class="value" aria-hidden="true"><rect class="all" width="100%" height="100%"/>'
    yield '<rect class="share" width="50%" height="100%"/></svg>'
    yield '<p id="facts"></p><p id="said" class="quiet"></p>'
    yield f'<section id="line-part"><h2>{text["expected_line"]}</h2><p class="buttons">'
    for name, sign in (("line_start", "&laquo;"), ("line_back", "&lsaquo;"), ("line_on", "&rsaquo;")):
        yield f'<button type="button" id="{name}" title="{text[name]}" aria-label="{text[name]}">{sign}</button>'
    yield '</p><ol id="moves-of-line"></ol></section>'
    headers = "".join(f'<th scope="col" class="number">{text[name]}</th>' for name in _COLUMNS)
    yield f'<section id="candidates-part"><h2>{text["candidates"]}</h2>'
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{text["candidates"]}"><table><thead><tr>'
    yield f'<th scope="col">{text["move"]}</th>{headers}</tr></thead><tbody id="candidates"></tbody></table></div>'
    yield f'</section><section id="tree-part"><h2>{text["tree"]}</h2><ul id="tree"></ul></section></div>'


_COLUMNS: Final = ("visits", "share", "policy", "value_first")


def rerun_page(visit: Visit, table: Table) -> str:
    """A stored game that is played again, turn by turn."""
    text = visit.words
    number = cast(int, table.wanted["record"])
    body = [
        f'<main id="content" class="analysis" data-table="{shown(table.id)}" data-name="">',
        f"<h1>{text['rerun']}</h1>",
        f"<p>{text['about_rerun'].format(record=number)} {link(f'/game/{number}', text['back_to_game'])}</p>",
        f"<noscript><p>{text['needs_script']}</p></noscript>",
        '<p id="caption" role="status" aria-live="polite"></p>',
        '<p id="status" class="quiet"><span id="elapsed" aria-hidden="true"></span></p>',
        f'<div id="frame"><div id="stage">{table.board}</div></div>',
        f'<p class="buttons"><button type="button" id="end">{text["stop"]}</button></p>',
        '<ul id="changes"></ul>',
        "</main>",
        data("words", {key: text[key] for key in ANALYSIS}),
    ]
    return framed(visit, text["rerun"], body, scripts=["board.js", "analysis.js"])

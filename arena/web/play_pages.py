"""The pages on which people play: the choice of a game, a table, the exhibition."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from arena.web.opponents import HUMAN, Opponent
from arena.web.shell import Visit, address, framed, link
from arena.web.tables import Table
from arena.web.texts_play import PLAY
from results.pages.page import data, section, shown
from results.record import Seat

__all__ = ["Choice", "exhibition_page", "favourite_of", "lost_page", "options_of", "setup_page", "table_page"]

_NAME: Final = 60
_SEATS: Final[tuple[Seat, Seat]] = ("first", "second")
_PER_MOVE: Final = (0.5, 1, 2, 5, 10, 30)
_PER_GAME: Final = (60, 300, 900)
_KINDS: Final = ("bundled", "submitted", "engine", "given", "record")
#: Who is chosen first, by game.
_FAVOURITES: Final = {"gomoku": "gomoku", "mushroom": "mushroom", "othello": "othello", "go": "uct"}
_FAVOURITE: Final = "alphabeta"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the form of a new game offers, and what is filled in. With `record` the game is that of the record."""

    games: Sequence[str]
    known: Sequence[Opponent]
    given: Mapping[str, str] = field(default_factory=dict)
    record: int | None = None
    turn: int = 0

    @property
    def game(self) -> str:
        """The game that is filled in."""
        return self.given.get("game") or "microchess"


def setup_page(visit: Visit, choice: Choice, *, running: Table | None = None, error: str = "") -> str:
    """The form of a new game."""
    text = visit.words
    title = text["play"]
    body = ['<main id="content">', f"<h1>{title}</h1>", f"<p>{text['about_play']}</p>"]
    if running is not None:
        body.append(f"<p>{text['your_game']} {link(f'/table/{running.id}', text['go_back'])}</p>")
    if error:
        body.append(f'<p class="warning" role="alert">{shown(error, 500)}</p>')
    body += ['<form method="post" action="/play" class="setup">', *_fields(visit, choice)]
    body += [f"<button>{text['start']}</button>", "</form>"]
    body += [f"<p>{link('/exhibition', text['exhibition'])}</p>", "</main>"]
    favourites = {"": _FAVOURITE, **_FAVOURITES}
    body.append(data("favourites", favourites))
    return framed(visit, title, body, scripts=["setup.js"])


def _fields(visit: Visit, choice: Choice) -> Iterator[str]:
    text, given = visit.words, choice.given
    if choice.record is not None:
        words = text["continues"].format(record=choice.record, turn=choice.turn)
        yield f'<p class="wide-field">{link(f"/game/{choice.record}#turn-{choice.turn}", words)}: '
        yield f"<strong>{shown(choice.game, _NAME)}</strong></p>"
        for name, value in (("record", choice.record), ("turn", choice.turn)):
            yield f'<input type="hidden" name="{name}" value="{value}">'
        yield f'<input type="hidden" name="game" id="game" value="{shown(choice.game)}">'
    else:
        yield _select("game", text["game"], [(one, one) for one in choice.games], choice.game)
        yield _input("parameters", text["game_parameters"], given, placeholder="turns=60")
    # The visitor moves first, against an agent that plays the game well.
    chosen = {"first": HUMAN, "second": favourite_of(choice.game.partition(":")[0])}
    for seat in _SEATS:
        yield '<fieldset class="player">'
        yield f"<legend>{text[seat]}</legend>"
        yield _players(seat, visit, choice, given.get(seat) or chosen[seat])
        yield _input(f"{seat}_options", text["strength"], given, placeholder="depth=3")
        yield "</fieldset>"
    times = [(f"move:{n}", text["per_move"].format(n=n)) for n in _PER_MOVE]
    times += [(f"game:{n}", text["per_game"].format(n=n)) for n in _PER_GAME]
    yield _select("time", text["thinking_time"], times, given.get("time") or "move:1")
    if choice.record is None:
        yield _input("position", f"{text['position']} ({text['position_hint']})", given)
        yield _input("opening_turns", text["opening_turns"], {"opening_turns": "0", **given}, numeric=True)


def _players(seat: Seat, visit: Visit, choice: Choice, chosen: str) -> str:
    text = visit.words
    lines = [f'<label for="{seat}">{text["agent"]}</label><select id="{seat}" name="{seat}" class="agent">']
    lines.append(f'<option value="{HUMAN}"{" selected" * (chosen == HUMAN)}>{text["you"]}</option>')
    return "".join([*lines, *options_of(visit, choice.known, chosen=chosen), "</select>"])


def options_of(visit: Visit, known: Sequence[Opponent], *, chosen: str) -> Iterator[str]:
    """Agents and engines to choose from, in groups."""
    for kind in _KINDS:
        found = [one for one in known if one.kind == kind]
        if found:
            yield f'<optgroup label="{visit.words[f"group_{kind}"]}">'
            yield from (_option(one, is_chosen=one.value == chosen) for one in found)
            yield "</optgroup>"


def favourite_of(game: str) -> str:
    """An agent that plays a game well; its name without parameters."""
    return _FAVOURITES.get(game, _FAVOURITE)


def _option(one: Opponent, *, is_chosen: bool) -> str:
    games, hint = " ".join(one.games), shown(one.hint, 300)
    facts = f'value="{shown(one.value, 1000)}" data-games="{shown(games)}" data-hint="{hint}"'
    return f"<option {facts}{' selected' * is_chosen}>{shown(one.title, _NAME)}</option>"


def _select(name: str, label: str, options: Iterable[tuple[str, str]], chosen: str) -> str:
    lines = [
        f'<option value="{shown(value, 300)}"{" selected" * (value == chosen)}>{shown(words, 100)}</option>'
        for value, words in options
    ]
    return f'<label for="{name}">{label}</label><select id="{name}" name="{name}">{"".join(lines)}</select>'


def _input(name: str, label: str, given: Mapping[str, str], *, placeholder: str = "", numeric: bool = False) -> str:
    more = ' inputmode="numeric" size="4"' if numeric else ' autocomplete="off" spellcheck="false"'
    hint = f' placeholder="{shown(placeholder)}"' if placeholder else ""
    value = f' value="{shown(given[name], 2000)}"' if given.get(name) else ""
    return f'<label for="{name}">{label}</label><input id="{name}" name="{name}"{value}{hint}{more}>'


def table_page(visit: Visit, table: Table, *, is_mine: bool, known: Sequence[Opponent] = ()) -> str:
    """A table: the board, what is to be said about the game, and the buttons."""
    text, state = visit.words, table.state
    names = cast("Mapping[str, str]", state.get("names") or {"first": "", "second": ""})
    title = text["exhibition"] if table.is_exhibition else text["play"]
    kind = "exhibition" if table.is_exhibition else "table"
    body = [
        f'<main id="content" class="{kind}" data-table="{shown(table.id)}" data-mine="{"yes" if is_mine else "no"}">',
        f"<h1>{shown(names['first'], _NAME)} - {shown(names['second'], _NAME)}</h1>",
        f"<noscript><p>{text['needs_script']}</p></noscript>",
        '<div class="play">',
        '<div class="side">',
        f'<div id="frame"><div id="stage">{table.board}</div></div>',
        '<p id="caption" role="status" aria-live="polite"></p>',
        '<p id="status" class="quiet"><span id="thinking"></span> <span id="elapsed" aria-hidden="true"></span></p>',
        '<div id="choices" class="buttons" role="group" hidden></div>',
        *([] if table.is_exhibition else _tools(visit, known, state)),
        '<div id="banner" hidden></div>',
        "</div>",
        '<div class="side">',
        *_clocks(names),
        *_moves(visit),
        "</div>",
        "</div>",
        *(_exhibition_tools(visit, is_mine=is_mine) if table.is_exhibition else []),
        "</main>",
        data("words", {key: text[key] for key in (*PLAY, "first", "second")}),
    ]
    return framed(visit, title, body, scripts=["board.js", "table.js"])


def _tools(visit: Visit, known: Sequence[Opponent], state: Mapping[str, object]) -> Iterator[str]:
    text = visit.words
    game = str(state.get("game", ""))
    advisers = [one for one in known if not one.games or game in one.games]
    favourite = favourite_of(game)
    yield '<div id="tools" class="buttons" hidden>'
    for name in ("undo", "resign"):
        yield f'<button type="button" id="{name}">{text[name]}</button>'
    yield f'<span class="buttons"><button type="button" id="hint">{text["hint"]}</button>'
    options = [_option(one, is_chosen=one.value == favourite) for one in advisers]
    yield f'<label for="adviser" class="away">{text["hint_by"]}</label>'
    yield f'<select id="adviser">{"".join(options)}</select></span>'
    yield "</div>"
    yield f'<div class="buttons"><button type="button" id="end">{text["end_game"]}</button></div>'
    yield '<div id="after" class="buttons" hidden>'
    yield f'<a id="replay" href="/games">{text["see_replay"]}</a>'
    for name in ("again", "swap"):
        yield f'<button type="button" id="{name}">{text[name]}</button>'
    yield f'<a href="{address("/play")}">{text["new_game"]}</a></div>'


def _clocks(names: Mapping[str, str]) -> Iterator[str]:
    yield '<dl class="clocks">'
    for seat in _SEATS:
        yield f'<div data-clock="{seat}"><dt>{shown(names[seat], _NAME)} <small>{seat}</small></dt><dd></dd></div>'
    yield "</dl>"


def _moves(visit: Visit) -> Iterator[str]:
    text = visit.words
    yield '<div id="claims">'
    for seat in _SEATS:
        yield f'<div data-claim="{seat}" hidden><svg class="value" aria-hidden="true">'
        yield '<rect class="all" width="100%" height="100%"/><rect class="share" width="50%" height="100%"/></svg>'
        yield '<p class="quiet"></p></div>'
    yield f'<label><input type="checkbox" id="marks"> {text["show_claims"]}</label></div>'
    yield f"<h2>{text['moves_so_far']}</h2>"
    yield f'<div id="line" tabindex="0" role="region" aria-label="{text["moves_so_far"]}"></div>'


def _exhibition_tools(visit: Visit, *, is_mine: bool) -> Iterator[str]:
    text = visit.words
    yield '<div class="buttons">'
    yield f'<button type="button" id="full">{text["full_screen"]}</button>'
    if is_mine:
        yield f'<button type="button" id="end">{text["stop"]}</button>'
    yield "</div>"


def exhibition_page(visit: Visit, games: Sequence[str], *, error: str = "") -> str:
    """The form that starts an exhibition."""
    text = visit.words
    body = ['<main id="content">', f"<h1>{text['exhibition']}</h1>", f"<p>{text['about_exhibition']}</p>"]
    if error:
        body.append(f'<p class="warning" role="alert">{shown(error, 500)}</p>')
    body += [
        '<form method="post" action="/exhibition">',
        _select("game", text["game"], [(one, one) for one in games], "othello"),
        _select("time", text["thinking_time"], [(f"move:{n}", f"{n} s") for n in _PER_MOVE], "move:1"),
        f"<button>{text['start']}</button>", "</form>", "</main>",
    ]  # fmt: skip
    return framed(visit, text["exhibition"], body)


def lost_page(visit: Visit) -> str:
    """A table that is not there."""
    text = visit.words
    body = ['<main id="content">', *section(text["no_table"], [f"<p>{link('/play', text['new_game'])}</p>"]), "</main>"]
    body[1:2] = ["<section>"]
    return framed(visit, text["no_table"], [line.replace("<h2>", "<h1>").replace("</h2>", "</h1>") for line in body])

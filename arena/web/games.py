"""The pages of single games: a replay, its downloads, and all running games on boards."""

from collections.abc import Iterator, Sequence
from typing import Final, cast

from arena.competition.explanation import explained
from arena.web.boards import Followed
from arena.web.from_here import ways_on
from arena.web.pages import part
from arena.web.shell import Visit, address, framed, link
from games.errors import ArenaError
from results.errors import NotationError
from results.notation.export import FORMATS, NOTATIONS
from results.notation.json_form import full
from results.notation.replay import BROKEN
from results.pages.page import section, shown
from results.pages.replay_page import Part
from results.record import GameRecord, Seat
from results.store.store import Store

__all__ = ["download", "live_page", "replay_page", "running_games"]

_NAME: Final = 60
#: A page shows so many turns, so that it stays below 200 kB.
_TURNS: Final = 150
_SEATS: Final[tuple[Seat, Seat]] = ("first", "second")


def replay_page(store: Store, visit: Visit, number: int, wanted: int = 0) -> str:
    """A game to step through, with links to its players, its league and its downloads.

    A long game is shown in parts, counted from 1; 0 is the first part, or the one with the fault.
    """
    record = store.record(number)
    excluded = _excluded(store, record)
    shown_part = _part(record, wanted)
    page = explained(record, store.league(record.league), excluded=excluded, part=shown_part)
    body = ['<main id="content">' if line == "<main>" else line for line in page.body]
    body[body.index("</header>")] = "".join([*_other_parts(record, shown_part, visit), "</header>"])
    more = section(
        visit.words["download"], [f"<p>{' '.join(_downloads(record))}</p>", f"<p>{_about(record, visit)}</p>"]
    )
    below = next(at for at, line in enumerate(body) if line.startswith("<section"))
    body[below:below] = ways_on(record, visit)
    end = body.index("</main>")
    return framed(visit, page.title, [*body[:end], *more, *body[end:]], scripts=page.scripts)


def _part(record: GameRecord, wanted: int) -> Part:
    parts = max(1, -(-record.turns // _TURNS))
    number = min(wanted or (parts if record.fault is not None else 1), parts)
    return Part((number - 1) * _TURNS, min(number * _TURNS, record.turns), _TURNS)


def _other_parts(record: GameRecord, here: Part, visit: Visit) -> Iterator[str]:
    """Links to the parts of a long game."""
    if record.turns <= _TURNS:
        return
    names = []
    for number, begin in enumerate(range(0, record.turns, _TURNS), 1):
        name = f"{begin + 1}-{min(begin + _TURNS, record.turns)}"
        is_here = begin == here.begin
        names.append(f"<strong>{name}</strong>" if is_here else link(f"/game/{record.id}", name, part=number))
    word = visit.words["turns"]
    yield f'<nav class="parts" aria-label="{word}"><p>{word}: {" ".join(names)}</p></nav>'


def _about(record: GameRecord, visit: Visit) -> str:
    names = record.first.name, record.second.name
    return " ".join(
        [
            link("/league", f"{visit.words['league']} {shown(record.league, _NAME)}", name=record.league),
            *(link("/agent", shown(name, _NAME), name=name) for name in names),
            link("/compare", visit.words["compare"], league=record.league, one=names[0], two=names[1]),
        ]
    )


def _downloads(record: GameRecord) -> Iterator[str]:
    for name in NOTATIONS:
        games = FORMATS[name].games
        if games is None or record.game in games:
            yield link(f"/game/{record.id}/download", FORMATS[name].title, format=name)
    yield link(f"/game/{record.id}/download", "JSON", format="json")


def _excluded(store: Store, record: GameRecord) -> str | None:
    exclusion = store.exclusions(record.league).get(record.id or 0)
    return None if exclusion is None else exclusion.because


def download(store: Store, number: int, form: str) -> tuple[str, str]:
    """The text of a game in a notation, and a name for the file; `NotationError` if there is none."""
    import json

    record = store.record(number)
    if form == "json":
        return json.dumps(full(record) | {"excluded": _excluded(store, record)}, indent=2) + "\n", f"game-{number}.json"
    write_game = FORMATS[form].write_game if form in FORMATS else None
    if write_game is None:
        raise NotationError(f"there is no format {form!r} for one game")
    try:
        return write_game(record, excluded=_excluded(store, record)), f"game-{number}.{FORMATS[form].ending}"
    except ArenaError:
        raise
    except BROKEN as error:
        raise NotationError(f"record {number} cannot be written in this format: {error}") from error


def live_page(running: Sequence[Followed], visit: Visit) -> str:
    """All running games on boards that the script keeps up to date."""
    text = visit.words
    boards = [line for followed in running for line in _live_game(followed, visit, is_alone=len(running) == 1)]
    body = [
        '<main id="content">',
        f"<h1>{text['running_now']}</h1>",
        *part("boards", ['<div class="boards">', *boards, "</div>"] if running else [f"<p>{text['nothing_runs']}</p>"]),
        "</main>",
    ]
    return framed(visit, text["live"], body, scripts=["board.js"])


def _live_game(followed: Followed, visit: Visit, *, is_alone: bool) -> Iterator[str]:
    text = visit.words
    game, clocks, claims = followed.game, followed.clocks(), followed.claims()
    left = clocks["clocks"]
    assert isinstance(left, list)
    yield f'<article class="live-game" data-game="{shown(game.id)}" data-running="{clocks["running"] or ""}" '
    yield f'data-age="{clocks["age"]:.1f}">'
    names = {"first": game.first, "second": game.second}
    yield f"<h2>{shown(game.first, _NAME)} - {shown(game.second, _NAME)}</h2>"
    yield f'<p class="quiet">{link("/league", shown(game.league, _NAME), name=game.league)}</p>'
    yield followed.html()
    # With several boards a screen reader would never be silent.
    yield f'<p class="caption"{" aria-live=polite" if is_alone else ""}>{shown(followed.caption())}</p>'
    yield '<dl class="clocks">'
    for seat, seconds in zip(_SEATS, left, strict=True):
        name = shown(names[seat], _NAME)
        yield f'<div data-seat="{seat}" data-left="{seconds}"><dt>{name} <small>{seat}</small></dt>'
        yield f"<dd>{seconds:.1f} s</dd></div>"
    yield "</dl>"
    for seat in _SEATS:
        said = shown(claims.get(seat, ""), 300)
        value = cast("float | None", followed.claim(seat)["value"])
        yield f'<svg class="value" data-value="{seat}" aria-hidden="true"{" hidden" * (value is None)}>'
        yield '<rect class="all" width="100%" height="100%"/>'
        yield f'<rect class="share" width="{100 * (value or 0):.1f}%" height="100%"/></svg>'
        yield f'<p class="claim quiet">{shown(names[seat], 20)} {text["claims"]}:'
        yield f'<span data-claim="{seat}">{said}</span></p>'
    yield "</article>"


def running_games(running: Sequence[Followed], visit: Visit) -> list[str]:
    """The running games as a list for the home page."""
    if not running:
        return []
    text = visit.words
    items = [
        f"<li>{shown(one.game.first, _NAME)} - {shown(one.game.second, _NAME)}, {shown(one.caption())} "
        f"({link('/league', shown(one.game.league, _NAME), name=one.game.league)})</li>"
        for one in running[:8]
    ]
    return ["<ul>", *items, "</ul>", f'<p><a href="{address("/live")}">{text["all_live"]}</a></p>']

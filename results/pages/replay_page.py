"""The HTML page of a game: a board to step through, the moves with their times, the fault with its evidence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import attrgetter
from typing import Final

from games.base import WHITE, join_parameters, load_stored, split_parameters
from results.notation.replay import BROKEN, Clocks, Cost, Replay, clocks, replay, seat_of
from results.pages import evaluation
from results.pages.boards import NO_BOARD, board, film, text_board, text_changes
from results.pages.page import Page, data, moment, result_text, section, shown, standalone
from results.pages.thoughts import marks_of
from results.record import ClaimRecord, EntrantRecord, FaultRecord, GameRecord, Seat
from results.text import counted, line_of, plain

__all__ = ["Part", "replay_content", "replay_page"]

_NAME: Final = 60
_LONG: Final = 20_000
#: Of a detail and of a piece of evidence, so that a page of the site stays small.
_DETAIL: Final = 2_000
_EVIDENCE: Final = 6_000
#: Measurements among the evidence, with their units.
#: Where the script shows what the player to move claims in the position on the board.
_CLAIM_OF_TURN: Final = (
    '<div id="claim" hidden><svg class="value" aria-hidden="true"><rect class="all" width="100%" height="100%"/>',
    '<rect class="share" width="50%" height="100%"/></svg><p id="claim-text"></p>',
    '<label><input type="checkbox" id="marks" checked> show its candidates on the board</label></div>',
)
_UNITS: Final = {"cpu": "s", "wall": "s", "peak_memory": "bytes"}


@dataclass(frozen=True, slots=True)
class Part:
    """The turns of a long game that a page shows: those after `begin`, up to `end`. `size` is that of all parts."""

    begin: int
    end: int
    size: int


def replay_page(
    record: GameRecord, *, cost: Cost = attrgetter("wall"), summary: str = "", excluded: str | None = None
) -> str:
    """The page as one file; see `replay_content`."""
    return standalone(replay_content(record, cost=cost, summary=summary, excluded=excluded))


def replay_content(
    record: GameRecord, *, cost: Cost = attrgetter("wall"), summary: str = "", excluded: str | None = None,
    part: Part | None = None,
) -> Page:  # fmt: skip
    """The page; without JavaScript it shows the last position and all moves, of the whole game or of a part.

    `cost` gives the seconds charged for a move. `summary` is a sentence about the ending. `excluded` is the reason why
    the game does not count.
    """
    part = part or Part(0, record.turns, max(record.turns, 1))
    played = replay(record)
    times = clocks(record, cost)
    first, second = shown(record.first.name, _NAME), shown(record.second.name, _NAME)
    body = [
        "<header>",
        f'<h1>{first} <span class="score">{result_text(record.result)}</span> {second}</h1>',
        f"<p>{_where(record)}</p>",
        f"<p>{shown(summary or _ending(record), 1000)}</p>",
        *_warnings(played, excluded),
        "</header>",
        "<main>",
        '<div class="game">',
        *_board(record, played, times, part),
        *_moves(record, times, part),
        "</div>",
        *_claims(record),
        *_details(record),
        "</main>",
        _data(record, played, times, part),
    ]
    title = f"{record.first.name} - {record.second.name}, {record.result}"
    return Page(title, body, ("board.js", "replay.js"))


def _where(record: GameRecord) -> str:
    number = "" if record.id is None else f"record {record.id}, "
    game = join_parameters(record.game, record.parameters)
    return f"{number}league {shown(record.league)}, {shown(game)}, {moment(record.started)}"


def _ending(record: GameRecord) -> str:
    if record.fault is not None:
        return f"{_entrant(record, record.fault.player).name} broke the rule {record.fault.rule}."
    return f"It ended by {record.reason}{f' ({record.detail})' if record.detail else ''}."


def _warnings(played: Replay, excluded: str | None) -> Iterator[str]:
    if excluded is not None:
        yield f'<p class="warning">This game does not count: {shown(excluded, 500)}</p>'
    if played.broken:
        yield f'<p class="warning">Not every board can be shown: {shown(played.broken, 500)}.</p>'


def _board(record: GameRecord, played: Replay, times: Sequence[Clocks], part: Part) -> Iterator[str]:
    last = part.end
    yield '<div class="side">'
    yield f'<figure><div id="board">{_last_board(played, last)}'
    # Where the rules cannot replay the turn, this stands in place of the board.
    reason = f"There is no board here: {shown(played.broken, 500)}." if played.broken else ""
    yield f'<p class="missing"{"" if reason else " hidden"}>{reason}</p></div>'
    yield f'<figcaption id="caption" aria-live="polite">{shown(_captions(record, times)[last])}</figcaption></figure>'
    yield '<div id="controls" hidden>'
    for name, sign, label in (
        ("start", "&laquo;", "start"), ("back", "&lsaquo;", "one turn back"),
        ("next", "&rsaquo;", "one turn on"), ("end", "&raquo;", "end"),
    ):  # fmt: skip
        yield f'<button type="button" id="{name}" aria-label="{label}" title="{label}">{sign}</button>'
    yield f'<input type="range" id="slider" aria-label="turn" min="0" max="{last - part.begin}" '
    yield f'value="{last - part.begin}">'
    yield '<button type="button" id="play" aria-pressed="false" aria-label="play" title="play (space)">&#9654;</button>'
    speeds = ((2000, "slow"), (1000, "normal"), (400, "fast"), (120, "very fast"))
    options = (f'<option value="{pause}"{" selected" * (pause == 1000)}>{name}</option>' for pause, name in speeds)
    yield f'<select id="speed" aria-label="speed">{"".join(options)}</select>'
    yield "</div>"
    yield '<dl class="clocks">'
    seats: tuple[Seat, Seat] = ("first", "second")
    for seat, color, left in zip(seats, _colors(record), _left(times[_shown_clock(record, last)]), strict=True):
        name = shown(_entrant(record, seat).name, _NAME)
        yield f'<div><dt>{name} <small>{seat}{color}</small></dt><dd id="{seat}">{left}</dd></div>'
    yield "</dl>"
    if record.claims:
        yield from _CLAIM_OF_TURN
    text = shown(_texts(played, record.turns)[last], _LONG, multiline=True)
    yield f'<details><summary>Board as text</summary><pre id="text">{text}</pre>'
    yield "</details></div>"


def _claims(record: GameRecord) -> Iterator[str]:
    """The graph of what the players claimed; nothing if they claimed nothing."""
    names = _name(record, "first"), _name(record, "second")
    if drawn := evaluation.graph(evaluation.claimed(record), names=names, turns=record.turns):
        about = "Expected score of first at each turn, as its players claim: 1 is a win of first. "
        about += "A claim is a player's own; nobody has checked it."
        yield from section("What the players claimed", [*drawn, f'<p class="quiet">{about}</p>'], name="claims")


def _last_board(played: Replay, last: int) -> str:
    """The board after so many turns, or the last that the rules can replay; then it is hidden."""
    if not played.states:
        return ""
    reached = min(last, len(played.states) - 1)
    drawn = board(played.states[reached], played.moves[reached - 1] if reached else None)
    return drawn.replace(" ", " hidden ", 1) if reached < last else drawn


def _shown_clock(record: GameRecord, turn: int) -> int:
    """Which clocks stand after this turn: those after a failed request stand at the end of the game."""
    return -1 if turn == record.turns else turn


def _texts(played: Replay, turns: int) -> list[str]:
    """The boards as plain text, one for each turn of the game and one for the start."""
    found = [text_board(state) for state in played.states]
    return found + [NO_BOARD] * (turns + 1 - len(found))


def _colors(record: GameRecord) -> tuple[str, str]:
    try:
        game = load_stored(join_parameters(record.game, record.parameters))
    except BROKEN:
        return "", ""
    return (", white", ", black") if game.first == WHITE else (", black", ", white")


def _moves(record: GameRecord, times: Sequence[Clocks], part: Part) -> Iterator[str]:
    longest = max(clock.cost for clock in times) or 1.0
    yield '<div id="moves" tabindex="0" role="region" aria-label="Moves">'
    yield "<table><caption>Moves, the time of each, and the time both players had left</caption>"
    yield (
        '<thead><tr><th scope="col" class="number">turn</th><th scope="col">player</th><th scope="col">move</th>'
        '<th scope="col" class="number">time</th><th scope="col"><span class="away">share</span></th>'
        f'<th scope="col" class="number">{_player(record, "first")}</th>'
        f'<th scope="col" class="number">{_player(record, "second")}</th></tr></thead><tbody>'
    )
    for turn, (move, clock) in enumerate(zip_longest(record.moves, times[1:]), 1):
        if not part.begin < turn <= part.end + (part.end == record.turns):  # a failed request is after the last turn
            continue
        seat = record.fault.player if move is None and record.fault else seat_of(record, turn)
        text = "no move" if move is None else shown(move.text, 64)
        spent = "opening" if turn <= len(record.opening) else f"{clock.cost:.3f}&nbsp;s"
        first, second = _left(clock)
        # A request that ended in a fault did not change the board.
        begin = f'<tr data-turn="{turn}">' if move else f'<tr class="failed" data-turn="{record.turns}">'
        yield (
            f'{begin}<td class="number">{turn}</td><td>{_player(record, seat)}</td>'
            f'<td><a href="#turn-{turn}">{text}</a></td><td class="number">{spent}</td>'
            f'<td><svg class="bar {seat}" aria-hidden="true"><rect width="{100 * clock.cost / longest:.1f}%" '
            'height="100%"/></svg></td>'
            f'<td class="number">{first}</td><td class="number">{second}</td></tr>'
        )
    yield "</tbody></table></div>"


def _data(record: GameRecord, played: Replay, times: Sequence[Clocks], part: Part) -> str:
    whole = slice(part.begin, part.end + 1)
    # The first board of a film is whole, so a film can begin anywhere.
    shots = film(played.states[whole], played.moves[part.begin : part.end])
    value = {
        "film": None if shots is None else shots.as_dict(),
        "boards": len(played.states[whole]),
        "begin": 0 if record.fault is None else record.turns,  # where the page opens: at the start, or at the fault
        "offset": part.begin,
        "size": part.size,
        "turns": record.turns,
        "texts": text_changes(_texts(played, record.turns)[whole]),
        "captions": _captions(record, times)[whole],
        **_claim_data(record, played, part),
        "clocks": [_left(times[_shown_clock(record, turn)]) for turn in range(part.begin, part.end + 1)],
    }
    return data("data", value)


def _claim_data(record: GameRecord, played: Replay, part: Part) -> dict[str, object]:
    """By the number of moves before it on this page: the value for first, the claim in words, marks of candidates."""
    found = {}
    for claim in record.claims:
        before, seat = claim.turn - 1, seat_of(record, claim.turn)
        if before >= len(played.states):
            break
        if not part.begin <= before <= part.end:
            continue
        first = claim.value if claim.value is None or seat == "first" else round(1 - claim.value, 4)
        words = f"{_name(record, seat)} claims{_claim_words(claim)}"
        found[before - part.begin] = [first, plain(words, limit=400), marks_of(played.states[before], claim.moves)]
    return {"claims": found} if found else {}


def _claim_words(claim: ClaimRecord) -> str:
    """What a claim says, with a space before each part."""
    parts = [
        *([] if claim.value is None else [f" {claim.value:.2f} for itself"]),
        *([f" depth {claim.depth}"] if claim.depth else []),
        *([f" {counted(claim.nodes, 'node')}"] if claim.nodes else []),
        *([f" expects {' '.join(claim.line)}"] if claim.line else []),
        *([f" {claim.text}"] if claim.text else []),
    ]
    return ",".join(parts)


def _captions(record: GameRecord, times: Sequence[Clocks]) -> list[str]:
    captions = [f"start, {counted(record.turns, 'turn')} follow{'s' * (record.turns == 1)}"]
    for turn, (move, clock) in enumerate(zip(record.moves, times[1:], strict=False), 1):
        name = _name(record, seat_of(record, turn))
        how = "in the opening" if turn <= len(record.opening) else f"in {clock.cost:.3f} s"
        captions.append(f"turn {turn} of {record.turns}: {name} plays {move.text} {how}")
    return [plain(caption, limit=300) for caption in captions]


def _left(clock: Clocks) -> tuple[str, str]:
    return f"{clock.first:.1f} s", f"{clock.second:.1f} s"


def _entrant(record: GameRecord, seat: Seat) -> EntrantRecord:
    return record.first if seat == "first" else record.second


def _name(record: GameRecord, seat: Seat) -> str:
    """The name of a player; with its seat if an agent plays against itself."""
    name = plain(_entrant(record, seat).name, _NAME)
    return f"{name} ({seat})" if record.first.name == record.second.name else name


def _player(record: GameRecord, seat: Seat) -> str:
    """The same for HTML."""
    return shown(_name(record, seat), 2 * _NAME)


def _details(record: GameRecord) -> Iterator[str]:
    """The sections below the board, as HTML; empty sections are left out."""
    yield from _faults(record)
    yield from _printed(record)
    yield from _facts(record)


def _faults(record: GameRecord) -> Iterator[str]:
    if record.fault is not None:
        yield from section("Fault", _evidence(record, record.fault), name="fault")
    if record.notes:
        body = [line for note in record.notes for line in _evidence(record, note)]
        yield from section("Noted, without a penalty", body, name="notes")


def _evidence(record: GameRecord, fault: FaultRecord) -> Iterator[str]:
    name = _player(record, fault.player)
    if fault.is_help:
        yield f"<p><strong>{name}</strong> {shown(fault.detail, _DETAIL)}.</p>"
        return
    rule = shown(fault.rule)
    yield f"<p><strong>{name}</strong> broke the rule <code>{rule}</code> {_when(fault)}.</p>"
    yield f"<pre>{shown(fault.detail, _DETAIL, multiline=True)}</pre>"
    found = {key: text.strip("\n") for key, text in fault.evidence.items() if text.strip()}
    numbers = {key: text for key, text in found.items() if key in _UNITS}
    yield from _list({key.replace("_", " "): f"{text} {_UNITS[key]}" for key, text in numbers.items()})
    for key, text in found.items():
        if key not in numbers:
            yield f"<h3>{shown(key)}</h3>"
            yield f"<pre>{shown(text, _EVIDENCE, multiline=True)}</pre>"


def _when(fault: FaultRecord) -> str:
    if fault.phase == "act":
        return "during its move" if fault.turn is None else f"on turn {fault.turn}"
    return {"load": "while it was loaded", "reset": "while it prepared for the game", "close": "after the game"}[
        fault.phase
    ]


def _printed(record: GameRecord) -> Iterator[str]:
    outputs: tuple[tuple[Seat, str], ...] = (("first", record.output_first), ("second", record.output_second))
    for seat, output in outputs:
        if output.strip():
            text = shown(output.strip("\n"), _EVIDENCE, multiline=True)
            yield from section(f"Printed by {_player(record, seat)}", [f"<pre>{text}</pre>"])


def _facts(record: GameRecord) -> Iterator[str]:
    first, second = _name(record, "first"), _name(record, "second")
    facts = {
        "first": _described(record.first),
        "second": _described(record.second),
        "start": record.start,
        "opening": line_of(record.opening),
        "budget": f"{record.time_control.words} each",
        "used": f"{first} {record.seconds_first:.2f} s, {second} {record.seconds_second:.2f} s of wall-clock time",
        "seeds": f"{record.seed}, {first} {record.seed_first}, {second} {record.seed_second}",
        "pairing": record.key,
        "rules": f"{record.game}, version {record.game_version}, {record.rules}",
        "sandbox": record.sandbox,
        "host": record.host,
        "played": f"{record.started} to {record.ended}",
        "versions": ", ".join(f"{name} {version}" for name, version in record.versions.items()),
    }
    yield from section("About this game", _list(facts))


def _list(facts: Mapping[str, str]) -> Iterator[str]:
    rows = [f"<dt>{shown(name)}</dt><dd>{shown(text, 2000)}</dd>" for name, text in facts.items() if text]
    if rows:
        yield from ('<dl class="facts">', *rows, "</dl>")


def _base(agent: str) -> str:
    """The agent without its options, which the record has with their defaults."""
    try:
        return split_parameters(agent)[0]
    except BROKEN:
        return agent


def _described(entrant: EntrantRecord) -> str:
    asked = join_parameters(_base(entrant.agent), entrant.options)
    version = f", version {entrant.version}" if entrant.version else ""
    name = "" if entrant.name in (asked, entrant.agent) else f"{entrant.name}: "
    return f"{name}{asked}{version}, hash {entrant.hash}"

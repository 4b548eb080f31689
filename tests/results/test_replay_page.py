"""The page of a game: its content, also with hostile text and broken games."""

import json
import random
import re
from html.parser import HTMLParser

import pytest

import games
from results.pages.replay_page import replay_page
from results.record import FaultRecord, MoveRecord

TWO = (MoveRecord("d2d3", 0.5, 0.4, 0.1), MoveRecord("a4a3", 1.5, 1.0, 0.0))

#: A game outside the repository: take one or two matches; `drawing` says what its pictures are.
NIM = """
from dataclasses import dataclass, replace
from games.base import Ending
from games.errors import IllegalMove
from games.view import Cell, Labels, View


@dataclass(frozen=True)
class State:
    left: int
    turns: int
    drawing: str

    turn = property(lambda self: self.turns % 2 == 0)
    ending = property(lambda self: None if self.left else Ending(not self.turn, "empty"))
    text = property(lambda self: str(self.left))

    def parse(self, text):
        if text not in ("1", "2"):
            raise IllegalMove(f"{text} is not 1 or 2")
        return int(text)

    def forward(self, move):
        return replace(self, left=self.left - move, turns=self.turns + 1)

    def __str__(self):
        return "|" * self.left or "none left"

    def view(self):
        if self.drawing == "raises":
            raise NotImplementedError
        cell = Cell("heap", str(self.left))
        return View(1, 1, "cells", (cell,), Labels(("heap",), ("",))) if self.drawing == "whole" else self.drawing

    def path(self, move):
        return (f"={move}",)


@dataclass(frozen=True)
class Game:
    parameters: dict
    name = "outside_games.nim"
    version = 1
    first = True
    seconds = 1.0

    def position(self, text):
        return State(int(text), 0, self.parameters["drawing"])


def game(drawing="whole"):
    return Game({"drawing": drawing})
"""


class Outline(HTMLParser):
    """What a page consists of."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.ids, self.attributes = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


@pytest.fixture
def nim(tmp_path, monkeypatch, make_record):
    """A record of the game outside the repository."""
    package = tmp_path / "outside_games"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "nim.py").write_text(NIM)
    monkeypatch.syspath_prepend(tmp_path)
    games.load("outside_games.nim:drawing=none")  # a record alone does not import it

    def make(drawing):
        moves = (MoveRecord("1"), MoveRecord("2"))
        return make_record(game="outside_games.nim", parameters={"drawing": drawing}, start="3", moves=moves)

    return make


def test_it_shows_players_game_and_result(make_record):
    page = replay_page(make_record(id=17, moves=TWO, result="1/2-1/2"))
    assert "<title>ada - bob, 1/2-1/2</title>" in page
    assert '<h1>ada <span class="score">½-½</span> bob</h1>' in page
    assert "record 17, league spring, microchess:turns=80," in page
    assert "It ended by checkmate." in page
    assert "first, white" in page


def test_the_last_position_is_in_the_page_itself(make_record):
    page = replay_page(make_record(moves=TWO))
    last = games.load("microchess:turns=80").start()
    for move in TWO:
        last = last.forward(last.parse(move.text))
    assert f'<div id="board">{last.svg(last.move_stack[-1])}\n<p class="missing" hidden></p></div>' in page
    assert str(last) in page
    assert '<div id="controls" hidden>' in page


def test_every_turn_has_a_board_a_caption_and_both_clocks(make_record):
    data = data_of(replay_page(make_record(moves=TWO, seconds=10.0)))
    assert len(data["film"]["changes"]) == len(data["texts"]) == data["boards"] == 3
    assert data["captions"] == [
        "start, 2 turns follow",
        "turn 1 of 2: ada plays d2d3 in 0.500 s",
        "turn 2 of 2: bob plays a4a3 in 1.500 s",
    ]
    assert data["clocks"] == [["10.0 s", "10.0 s"], ["9.5 s", "10.0 s"], ["9.5 s", "8.5 s"]]


def test_moves_are_charged_by_the_given_cost(make_record):
    page = replay_page(make_record(moves=TWO, seconds=10.0), cost=lambda move: move.cpu)
    assert data_of(page)["clocks"][-1] == ["9.6 s", "9.0 s"]
    assert 'class="bar first" aria-hidden="true"><rect width="40.0%"' in page
    assert 'class="bar second" aria-hidden="true"><rect width="100.0%"' in page


def test_moves_of_the_opening_cost_nothing_and_are_marked(make_record):
    moves = (MoveRecord("d2d3"), MoveRecord("a4a3", 0.25))
    page = replay_page(make_record(moves=moves, opening=("d2d3",)))
    assert data_of(page)["captions"][1:] == [
        "turn 1 of 2: ada plays d2d3 in the opening",
        "turn 2 of 2: bob plays a4a3 in 0.250 s",
    ]


def test_second_may_move_first(make_record):
    start = "knbr/p3/4/3P/RBNK b Qk - 0 1"
    page = replay_page(make_record(start=start, mover="second", moves=(MoveRecord("a4a3", 1.0),)))
    assert data_of(page)["captions"][1].startswith("turn 1 of 1: bob plays a4a3")


def test_a_fault_is_shown_with_all_its_evidence(make_record):
    evidence = {"traceback": "Traceback:\n  no\n", "stderr": "thinking", "cpu": "0.2", "peak_memory": "7", "exit": ""}
    fault = FaultRecord("second", "exception", "act: ValueError: no", evidence)
    note = FaultRecord("first", "exit", "its process ended", {})
    page = replay_page(
        make_record(moves=TWO[:1], fault=fault, notes=(note,), reason="fault", unanswered=2.0, output_first="hello\n")
    )
    assert "<strong>bob</strong> broke the rule <code>exception</code>" in page
    assert "<pre>act: ValueError: no</pre>" in page
    assert "<h3>traceback</h3>\n<pre>Traceback:\n  no</pre>" in page
    assert "<dt>peak memory</dt><dd>7 bytes</dd>" in page
    assert "<h3>exit</h3>" not in page
    assert "Noted, without a penalty" in page
    assert "<h2>Printed by ada</h2>\n<pre>hello</pre>" in page
    assert '<tr class="failed" data-turn="1"><td class="number">2</td><td>bob</td>' in page
    assert data_of(page)["clocks"][-1] == ["399.5 s", "398.0 s"]


@pytest.mark.parametrize(
    ("phase", "turn", "when"),
    [
        ("load", None, "while it was loaded"),
        ("reset", None, "while it prepared for the game"),
        ("act", 2, "on turn 2"),
        ("act", None, "during its move"),
        ("close", None, "after the game"),
    ],
)
def test_a_fault_says_when_it_happened(make_record, phase, turn, when):
    fault = FaultRecord("second", "exit", "signal 9", {}, phase, turn)
    assert f"broke the rule <code>exit</code> {when}.</p>" in replay_page(make_record(moves=TWO[:1], fault=fault))


def test_a_game_without_a_move_has_a_page(make_record):
    page = replay_page(make_record(moves=(), fault=FaultRecord("second", "startup", "", {})))
    assert data_of(page)["captions"] == ["start, 0 turns follow"]
    assert "<svg" in page


def test_an_excluded_game_shows_the_reason(make_record):
    assert "This game does not count: the disk was full" in replay_page(make_record(), excluded="the disk was full")
    assert "does not count" not in replay_page(make_record())


def test_a_given_summary_replaces_the_default(make_record):
    page = replay_page(make_record(), summary="ada won <happily>.")
    assert "<p>ada won &lt;happily&gt;.</p>" in page
    assert "It ended by" not in page


@pytest.mark.parametrize("changes", [{"moves": (TWO[0], MoveRecord("a1a1"))}, {"start": "?"}, {"game": "checkers"}])
def test_a_record_that_cannot_be_replayed_has_a_page_with_the_reason(make_record, changes):
    page = replay_page(make_record(**{"moves": TWO, **changes}))
    assert 'class="warning">Not every board can be shown: ' in page
    assert '<p class="missing">There is no board here: ' in page
    assert '<div id="board"><svg hidden' in page or '<div id="board">\n<p' in page
    assert len(data_of(page)["texts"]) == 3
    assert data_of(page)["boards"] < 3


def test_a_game_outside_the_repository_is_shown_by_its_picture(nim):
    page = replay_page(nim("whole"))
    assert '<div id="board"><svg' in page
    assert '<text x="22.5" y="30">0</text>' in page
    assert "style=" not in page.partition("<body>")[2]


@pytest.mark.parametrize("drawing", ["raises", "", "none"])
def test_a_game_without_pictures_is_shown_as_text(nim, drawing):
    assert '<div id="board"><pre class="plain">none left</pre>' in replay_page(nim(drawing))


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "</script><b>", "\"'><b>", "]]><b>", "<!--<script>"])
def test_untrusted_text_never_becomes_a_tag(make_record, text):
    plain = make_record(first="plain", moves=(MoveRecord("plain"),), fault=FaultRecord("first", "plain", "plain", {}))
    fault = FaultRecord("first", text, text, {text: text, "stderr": text})
    hostile = make_record(
        first=text, second=text, league=text, key=text, moves=(MoveRecord(text),), opening=(text,), fault=fault,
        notes=(fault,), output_first=text, output_second=text, host=text, versions={text: text}, detail=text,
        start=text, game=text, parameters={"turns": text}, reason=text, sandbox=text, rules=text,
    )  # fmt: skip
    known = set(Outline(replay_page(plain)).tags) | {"h3"}
    outline = Outline(replay_page(hostile, summary=text, excluded=text))
    assert set(outline.tags) <= known
    assert [name for name, _ in outline.attributes if name.startswith("on")] == []
    assert outline.tags.count("script") == 2


def test_bidirectional_control_characters_are_escaped(make_record):
    page = replay_page(make_record(first="\u202egnp", output_first="\x1b[31m", moves=TWO))
    assert "\u202e" not in page
    assert "\\u202egnp" in page
    assert "\\x1b[31m" in page


def test_nothing_is_loaded_from_elsewhere(make_record):
    page = replay_page(make_record(moves=TWO))
    names = re.findall(r"https?://[\w./]+", page)
    assert set(names) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "default-src 'none'" in page
    assert re.search(r"script-src 'sha256-[\w+/=]{44}';", page)
    assert not {"link", "img", "iframe", "object"} & set(Outline(page).tags)


def test_ids_are_unique(make_record):
    page = re.sub(r"<svg.*?</svg>", "", replay_page(make_record(moves=TWO)), flags=re.DOTALL)
    ids = Outline(page).ids
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ["chess:turns=80", "microchess", "othello"])
def test_a_long_game_stays_small(make_record, name):
    rng, game = random.Random(3), games.load(name)
    state, moves = game.start(), []
    while not state.is_game_over():
        move = rng.choice(list(state.legal_moves))
        moves.append(MoveRecord(str(move), rng.random()))
        state = state.forward(move)
    record = make_record(game=game.name, parameters=dict(game.parameters), start=game.start().text, moves=tuple(moves))
    assert len(replay_page(record)) < 100_000

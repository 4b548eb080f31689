"""The page for one participant: games, losses explained, slowest moves."""

import re
from pathlib import Path
from typing import Any

import pytest

from arena.competition.feedback import agent_report, owners_of
from arena.entrants.staging import stage
from arena.entrants.submissions import Submissions
from results.errors import BadEntrants
from results.pages.agent_page import agent_page
from results.store.store import Store

CRASH = (
    "from agents import BaseAgent\nclass C(BaseAgent):\n    def act(self, state):\n"
    "        if state.turns > 3: raise ValueError('<b>oops</b>')\n        return state.legal_moves[0]\n"
)


@pytest.fixture
def cup(arena: Any) -> Any:
    """A league of a submitted agent that raises, and of two others."""
    home = arena.folder / "home"
    file: Path = arena.folder / "my_bot.py"
    file.write_text(CRASH)
    Submissions(home).add(
        "my_bot", stage_hash=stage(file, home=home).hash, entry=file.name, needs=(), owner="Ada & Co", about=None,
        date="", report={},
    )  # fmt: skip
    words = ("league", "my_bot", "random", "first_move", "--turns", "8", "--opening-turns", "2", "--workers", "1")
    assert arena(*words, "--name", "cup").code == 0
    return arena


def test_a_participant_gets_its_games_its_losses_explained_and_its_slowest_moves(cup: Any) -> None:
    assert cup("report", "--agent", "my_bot", "-o", "page.html").code == 0
    page = (cup.folder / "page.html").read_text()
    assert "version 1, by Ada &amp; Co, as of" in page
    assert "ValueError: &lt;b&gt;oops&lt;/b&gt;" in page
    assert "<b>oops" not in page
    with Store.read(cup.folder / "arena.db") as store:
        league = store.known("cup")
        assert owners_of(league, Submissions(cup.folder / "home")) == {"my_bot": "Ada & Co"}
        report = agent_report(store, league, "my_bot")
        other = agent_report(store, league, "random")
        with pytest.raises(BadEntrants, match="'nobody' is not an entrant of cup"):
            agent_report(store, league, "nobody")
    assert [game.opponent for game in report.games].count("random") == 2
    assert len(report.games) == 4
    lost = [game for game in report.games if game.score == 0]
    assert lost
    assert all(f"my_bot lost record {game.id} by breaking the rule `exception`" in game.why for game in lost)
    assert all(game.why == "" for game in report.games if game.score)
    # Only its own moves, none of the opening, the slowest first.
    assert all(move.turn > 2 for move in report.slowest)
    assert [move.seconds for move in report.slowest] == sorted((m.seconds for m in report.slowest), reverse=True)
    # A traceback that repeats is shown once.
    assert ["Traceback" in game.why for game in lost] == [True] + [False] * (len(lost) - 1)
    assert all(f"The traceback is that of record {lost[0].id}." in game.why for game in lost[1:])
    numbers = {game.id for game in report.games}
    assert {move.id for move in report.slowest} <= numbers
    assert len(re.findall("<h3 ", agent_page(report))) == len(lost)
    assert "version" not in agent_page(other).partition("<main>")[0]


def test_the_page_says_that_its_agent_was_withdrawn(cup: Any) -> None:
    cup("withdraw", "cup", "my_bot", "--because", "it is <ill>")
    ran = cup("report", "--agent", "my_bot")
    assert "It was withdrawn (it is &lt;ill&gt;); its games still count." in ran.out
    refused = cup("report", "--agent", "my_bot", "--replays", "games")
    assert (refused.code, refused.error) == (2, "arena: --agent and --replays cannot be used together; leave one out")

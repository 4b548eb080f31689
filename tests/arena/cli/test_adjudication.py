"""Games that end early by the values that players report: `--resign` and `--draw`."""

import json
from typing import Any

import pytest

from arena.referee.adjudication import Adjudication, Adjudicator, DrawRule, ResignRule
from games.base import BLACK, WHITE

#: Says the value of its option, in percent, and plays the first legal move.
TELLER = """
from agents.base import BaseAgent

class Teller(BaseAgent):
    def __init__(self, name, color, value=50):
        super().__init__(name, color)
        self.value = value

    def act(self, state):
        self.tell(value=self.value / 100)
        return state.legal_moves[0]
"""
#: An engine for chess that always thinks that it is lost.
GLOOMY = """
import sys

moves = []
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name Gloomy\\nuciok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        moves = words[words.index("moves") + 1:] if "moves" in words else []
    elif words[:1] == ["go"]:
        first = ["a2a3", "h2h3"][len(moves) // 2]
        print(f"info depth 1 score cp -{900 + len(moves)} pv {first}\\nbestmove {first}", flush=True)
"""


@pytest.fixture
def tellers(arena: Any) -> Any:
    arena.folder.joinpath("teller.py").write_text(TELLER)
    return arena


def shown(arena: Any, number: int = 1) -> Any:
    return json.loads(arena("show", str(number), "--format", "json").out)


def test_a_player_that_reports_a_lost_game_resigns_and_the_record_says_why(tellers: Any) -> None:
    command = ("league", "teller.py:value=0", "teller.py:value=60", "--turns", "12", "--name", "cup", "--workers", "1")
    assert tellers(*command, "--resign", "900", "3").code == 0
    found = {record["first"]: record for record in (shown(tellers, 1), shown(tellers, 2))}
    first, second = found["teller:value=0"], found["teller:value=60"]
    assert (first["result"], first["reason"], first["turns"]) == ("0-1", "adjudicated", 5)
    assert first["detail"] == "first reported -10000 for its last 3 moves"
    assert (second["result"], second["turns"]) == ("1-0", 6)
    assert "because of the values that the players reported (first reported -10000 for" in tellers("why", "1").out
    assert '[Termination "adjudication"]' in tellers("show", "1", "--format", "pgn").out
    assert "identical: 5 turns" in tellers("rerun", "1").out
    assert "resign was 900 3, is 900 4" in tellers(*command, "--resign", "900", "4").error


def test_a_draw_needs_the_reports_of_both(tellers: Any) -> None:
    rule = ("--draw", "10", "2", "3", "--turns", "12")
    assert tellers("play", "teller.py:value=50", "teller.py:value=51", *rule).code == 0
    record = shown(tellers)
    assert (record["result"], record["reason"], record["turns"]) == ("1/2-1/2", "adjudicated", 6)
    assert record["detail"] == "first reported +0, second +7 for their last 2 moves"
    for opponent in ("first_move", "teller.py:value=60"):
        assert tellers("play", "teller.py:value=50", opponent, *rule).code == 0
        assert shown(tellers, 2)["reason"] != "adjudicated"


def test_without_the_options_reports_change_nothing(tellers: Any) -> None:
    assert tellers("play", "teller.py:value=0", "teller.py:value=100", "--turns", "8").code == 0
    assert shown(tellers)["reason"] == "turn-limit"


def test_the_scores_of_a_uci_engine_count(arena: Any) -> None:
    arena.folder.joinpath("gloomy.py").write_text(GLOOMY)
    engine = 'uci:command="/usr/bin/python3 gloomy.py"'
    ran = arena("play", engine, "random", "--resign", "900", "2", "--game", "chess", "--turns", "20")
    assert ran.code == 0, ran.err
    record = shown(arena)
    assert (record["result"], record["reason"], record["turns"]) == ("0-1", "adjudicated", 3)
    assert record["detail"] == "first reported -902 to -900 for its last 2 moves"


def test_a_rule_with_too_few_or_impossible_numbers_is_refused(arena: Any) -> None:
    assert arena("play", "random", "random", "--resign", "900").code == 2
    ran = arena("play", "random", "random", "--draw", "8", "0", "40")
    assert (ran.code, ran.error) == (
        2, "arena: draw must be 3 whole numbers from 1 to 100000 (SCORE MOVES AFTER), not (8, 0, 40)"
    )  # fmt: skip


def test_a_move_without_a_report_starts_the_count_anew_but_an_only_move_does_not() -> None:
    judge = Adjudicator(Adjudication(ResignRule(900, 2)), first=WHITE)
    for score, is_only_move in [(-950, False), (None, False), (-950, False), (None, True)]:
        assert judge.take(WHITE, score, turns=1, is_only_move=is_only_move) is None
    found = judge.take(WHITE, -1000, turns=9, is_only_move=False)
    assert found is not None
    assert (found.winner, found.detail) == (BLACK, "first reported -1000 to -950 for its last 2 moves")


def test_a_draw_is_not_judged_before_its_move() -> None:
    judge = Adjudicator(Adjudication(draw=DrawRule(10, 1, 5)), first=WHITE)
    assert judge.take(WHITE, -10, turns=8, is_only_move=False) is None
    assert judge.take(BLACK, 10, turns=9, is_only_move=False) is None
    assert judge.take(WHITE, 11, turns=10, is_only_move=False) is None
    assert judge.take(BLACK, 0, turns=11, is_only_move=False) is None
    assert judge.take(WHITE, 3, turns=12, is_only_move=False) is not None

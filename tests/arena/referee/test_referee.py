"""The referee, with scripted players: no processes, no waiting."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.seat import Answer, Fault
from arena.referee.referee import Clock, Job, Turn, play
from arena.referee.scripted_player import ScriptedPlayer
from games.base import BLACK, WHITE

MakeJob = Callable[..., Job]


def test_moves_alternate_until_the_rules_end_the_game(job: MakeJob) -> None:
    first, second = ScriptedPlayer(["c1d3", "d3c1"] * 10), ScriptedPlayer(["b5a3", "a3b5"] * 10)
    record = play(job(), {"first": first, "second": second}, Clock(10))
    assert (record.result, record.reason, record.detail) == ("1/2-1/2", "repetition", "material 16-16")
    assert record.turns == 16
    assert [move.text for move in record.moves[:4]] == ["c1d3", "b5a3", "d3c1", "a3b5"]
    assert (first.colors, second.colors) == ([WHITE], [BLACK])


def test_first_is_black_where_black_moves_first(job: MakeJob) -> None:
    first, second = ScriptedPlayer(), ScriptedPlayer()
    record = play(job("othello"), {"first": first, "second": second}, Clock(10))
    assert (first.colors, second.colors) == ([BLACK], [WHITE])
    blacks, whites = map(int, record.detail.removeprefix("discs ").split("-"))
    assert record.result == ("1-0" if blacks > whites else "0-1" if whites > blacks else "1/2-1/2")


def test_second_begins_where_the_position_says_so(job: MakeJob) -> None:
    first, second = ScriptedPlayer(), ScriptedPlayer()
    start = "k3/4/4/1R2/3K b - - 0 1"
    record = play(job(start=start), {"first": first, "second": second}, Clock(10))
    assert record.mover == "second"
    assert second.asked[0][0].moves == ()
    assert len(first.asked[0][0].moves) == 1
    assert record.seconds_second == 0.0


def test_both_players_are_sent_the_opening(job: MakeJob) -> None:
    first, second = ScriptedPlayer(), ScriptedPlayer()
    record = play(job(opening=("c1d3", "b5a3")), {"first": first, "second": second}, Clock(10))
    assert first.asked[0][0].moves == ("c1d3", "b5a3")
    assert first.asked[0][0].state.turns == 2
    assert record.opening == ("c1d3", "b5a3")
    assert [move.text for move in record.moves[:2]] == ["c1d3", "b5a3"]


def test_each_move_is_charged_to_its_player_and_sent_to_the_other(job: MakeJob) -> None:
    first = ScriptedPlayer([Answer("c1d3", 1.5, 1.0, 0.1), Answer("d3c1", 2.0, 1.0, 0.0)])
    second = ScriptedPlayer([Answer("b5a3", 0.25, 0.2, 0.0)])
    record = play(job(), {"first": first, "second": second}, Clock(10))
    assert first.asked[1][1].own == 8.5
    assert second.asked[1][1].opponent == 6.5
    assert second.asked[0][1].opponent_last_move == 1.5
    assert first.asked[1][1].opponent_last_move == 0.25
    assert (record.moves[0].wall, record.moves[0].cpu, record.moves[0].wait) == (1.5, 1.0, 0.1)


def test_a_player_whose_time_is_used_up_loses(job: MakeJob) -> None:
    first = ScriptedPlayer([Answer("c1d3", 4.0, 4.0, 0.0), Answer("d3c1", 6.0, 6.0, 0.0)])
    record = play(job(), {"first": first, "second": ScriptedPlayer()}, Clock(10))
    assert (record.result, record.reason) == ("0-1", "fault")
    assert record.fault is not None
    assert (record.fault.rule, record.fault.detail) == ("time", "used up its 10 s")


@pytest.mark.parametrize("text", ["a1a1", "", "None", "0000", "d2d3q", "resign", "1-0", "d2d3\n", "a4a3", "\x00"])
def test_an_answer_that_is_not_a_legal_move_loses(job: MakeJob, text: str) -> None:
    record = play(job(), {"first": ScriptedPlayer([text]), "second": ScriptedPlayer()}, Clock(10))
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "illegal-move")
    assert record.result == "0-1"


def test_moves_are_stored_in_their_canonical_text(job: MakeJob) -> None:
    first = ScriptedPlayer(["d1a1"])
    record = play(job(start="k2r/p3/4/3P/R2K w Qk - 0 1"), {"first": first, "second": ScriptedPlayer()}, Clock(10))
    assert record.moves[0].text == "d1b1"


def test_a_players_fault_ends_the_game_and_both_are_closed(job: MakeJob) -> None:
    first, second = ScriptedPlayer(["c1d3"]), ScriptedPlayer([Fault("exit", "gone", {"stderr": "\x1b[2Jbye"})])
    record = play(job(), {"first": first, "second": second}, Clock(10))
    assert record.fault is not None
    assert (record.result, record.fault.player, record.turns) == ("1-0", "second", 1)
    assert record.fault.evidence["stderr"] == "\\x1b[2Jbye"
    assert (first.closed, second.closed) == (1, 1)


def test_a_failure_of_ours_is_raised_and_both_players_are_closed(job: MakeJob) -> None:
    first, second = ScriptedPlayer([RuntimeError("our bug")]), ScriptedPlayer()
    with pytest.raises(RuntimeError, match="our bug"):
        play(job(), {"first": first, "second": second}, Clock(10))
    assert (first.closed, second.closed) == (1, 1)


def test_a_fault_after_a_decided_game_is_only_noted(job: MakeJob) -> None:
    second = ScriptedPlayer(at_close=Fault("exception", "in close"))
    record = play(job("microchess:turns=4"), {"first": ScriptedPlayer(), "second": second}, Clock(10))
    assert (record.reason, record.fault) == ("turn-limit", None)
    assert [(note.player, note.rule) for note in record.notes] == [("second", "exception")]


def test_a_spectator_sees_the_start_and_every_move(job: MakeJob) -> None:
    seen: list[Turn] = []
    players: dict[Any, ScriptedPlayer] = {
        "first": ScriptedPlayer([Answer("c1d3", 1.0, 0, 0)]),
        "second": ScriptedPlayer(),
    }
    record = play(job("microchess:turns=6"), players, Clock(10), watch=seen.append)
    assert [turn.move for turn in seen] == [None, *(move.text for move in record.moves)]
    assert seen[1].times == {WHITE: 9.0, BLACK: 10.0}
    assert seen[-1].state.ending is not None


def test_a_record_has_the_settings_of_its_game(job: MakeJob) -> None:
    record = play(job(seed=7), {"first": ScriptedPlayer(), "second": ScriptedPlayer()}, Clock(10))
    assert (record.game, record.parameters, record.game_version) == ("microchess", {"turns": 80}, 1)
    assert (record.seed, record.seed_first, record.seed_second) == (7, 2, 3)
    assert (record.sandbox, record.rules) == ("none", "kernel")
    assert set(record.versions) == {"arena", "python", "system"}
    assert record.started <= record.ended
    assert record.ended.endswith("Z")

"""The table of a served agent: who sits there, for which game, with which time."""

import logging
from collections.abc import Iterator

import pytest

from agents.seat import Answer, Fault, Times
from arena.engine.desk import Desk, NoMove
from arena.engine.line import Line
from arena.errors import Starved, Void
from arena.referee.scripted_player import ScriptedPlayer
from games.base import BLACK, WHITE, Color, Game, load
from games.errors import BadPosition, IllegalMove

MICRO = load("microchess")


class Seats:
    """Makes scripted players and remembers them; `opened` are their colours, starts and seeds."""

    def __init__(self, *scripts: list[str | Answer | Exception]) -> None:
        self._scripts: Iterator[list[str | Answer | Exception]] = iter(scripts)
        self.players: list[ScriptedPlayer] = []
        self.opened: list[tuple[Color, str, int]] = []

    def __call__(self) -> ScriptedPlayer:
        opened = self.opened

        class Seated(ScriptedPlayer):
            def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
                super().open(game, color, start=start, seed=seed)
                opened.append((color, start, seed))

        self.players.append(Seated(next(self._scripts, [])))
        return self.players[-1]


def line(*moves: str, start: str = "", game: Game = MICRO) -> Line:
    made = Line.begun(game, start)
    for move in moves:
        made = made.forward(move)
    return made


def test_a_line_knows_its_start_and_its_moves() -> None:
    told = line("d2d3", "a4a3")
    assert told.start == MICRO.start().text
    assert told.moves == ("d2d3", "a4a3")
    assert told.state.turns == 2


def test_a_line_refuses_what_the_rules_refuse() -> None:
    with pytest.raises(IllegalMove):
        line("d2d5")
    with pytest.raises(BadPosition):
        line(start="nonsense")


def test_a_line_writes_moves_as_the_game_does() -> None:
    assert line("d1a1", start="k2r/p3/4/3P/R2K w Qk - 0 1").moves == ("d1b1",)


@pytest.mark.parametrize(
    ("later", "earlier", "extends"),
    [
        (line("d2d3", "a4a3"), line("d2d3"), True),
        (line("d2d3"), line("d2d3"), True),
        (line("d2d3"), line("d2d3", "a4a3"), False),
        (line("d2d4", "a4a3"), line("d2d3"), False),
        (line("d2d3"), line("d2d3", game=load("microchess:turns=10")), False),
        (line(), line(start="k3/4/4/1R2/3K w - - 0 1"), False),
    ],
)
def test_a_line_extends_what_it_goes_on_from(later: Line, earlier: Line, extends: bool) -> None:
    assert later.extends(earlier) is extends


def test_one_player_plays_a_whole_game() -> None:
    seats = Seats(["d2d3", "d3d4"])
    desk = Desk(seats, seconds=7)
    assert desk.move(line()) == "d2d3"
    assert desk.move(line("d2d3", "a4a3")) == "d3d4"
    assert len(seats.players) == 1
    assert [history.moves for history, _ in seats.players[0].asked] == [(), ("d2d3", "a4a3")]


def test_the_same_question_may_be_asked_again() -> None:
    seats = Seats(["d2d3", "d2d4"])
    desk = Desk(seats, seconds=7)
    assert [desk.move(line()), desk.move(line())] == ["d2d3", "d2d4"]
    assert len(seats.players) == 1


@pytest.mark.parametrize(
    "other",
    [
        line("d2d3"), line("d2d4", "a4a3", "c1d3", "d5d4"), line("d2d4", "a4a3"), line("d2d3", "a4a3", "d3d4"),
        line(start="k3/4/4/1R2/3K w - - 0 1"), line("d2d3", "a4a3", game=load("microchess:turns=10")),
    ],
    ids=["shorter", "longer but other", "as long but other", "other colour", "other start", "other rules"],
)  # fmt: skip
def test_another_game_is_played_by_a_fresh_player(other: Line) -> None:
    seats = Seats()
    desk = Desk(seats, seconds=7)
    desk.move(line("d2d3", "a4a3"))
    desk.move(other)
    assert len(seats.players) == 2
    assert [player.closed for player in seats.players] == [1, 0]
    assert seats.opened[1][:2] == (other.state.turn, other.start)


def test_every_game_has_dice_of_its_own_and_a_seed_repeats_them() -> None:
    def seeds(seed: str | None) -> list[int]:
        seats = Seats()
        desk = Desk(seats, seconds=7, seed=seed)
        for _ in range(2):
            desk.move(line())
            desk.leave()
        return [opened[2] for opened in seats.opened]

    assert seeds("a") == seeds("a") != seeds("b")
    assert len({*seeds("a"), *seeds(None), *seeds(None)}) == 6


def test_a_player_seated_ahead_is_the_one_that_is_asked() -> None:
    seats = Seats()
    desk = Desk(seats, seconds=7)
    desk.prepare(line(), WHITE)
    desk.move(line())
    assert len(seats.players) == 1
    desk.prepare(line(), BLACK)
    assert [color for color, _, _ in seats.opened] == [WHITE, BLACK]


def test_without_a_clock_the_budget_of_the_game_goes_down() -> None:
    seats = Seats([Answer("d2d3", 2.5, 0, 0), Answer("d3d4", 1.0, 0, 0)])
    desk = Desk(seats, seconds=7)
    desk.move(line())
    desk.move(line("d2d3", "a4a3"))
    assert [times.own for _, times in seats.players[0].asked] == [7, 4.5]
    desk.leave()
    desk.move(line())
    assert [times.own for _, times in seats.players[1].asked] == [7]


def test_a_clock_that_is_told_is_passed_on() -> None:
    seats = Seats()
    times = Times(own=1.5, opponent=2.5, opponent_last_move=0.5)
    Desk(seats, seconds=7).move(line(), times)
    assert seats.players[0].asked[0][1] == times


def test_a_used_up_budget_is_never_nothing() -> None:
    seats = Seats([Answer("d2d3", 9.0, 0, 0)])
    desk = Desk(seats, seconds=7)
    desk.move(line())
    desk.move(line("d2d3", "a4a3"))
    assert seats.players[0].asked[1][1].own == 0.01


def test_a_fault_is_told_in_one_safe_line_and_the_player_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    fault = Fault("exception", "Value\x1b[31mError\nno", {"traceback": "Trace\x1b\nline 2", "stderr": "printed"})
    seats = Seats([fault], ["d2d3"])
    desk = Desk(seats, seconds=7)
    with caplog.at_level(logging.WARNING), pytest.raises(NoMove) as caught:
        desk.move(line())
    assert str(caught.value) == r"the agent broke the rule 'exception': Value\x1b[31mError\x0ano"
    assert caplog.messages == [f"{caught.value}\nTrace\\x1b\nline 2\nprinted"]
    assert seats.players[0].closed == 1
    assert desk.move(line()) == "d2d3"
    assert len(seats.players) == 2


@pytest.mark.parametrize("text", ["d2d5", "", "0000", "None", "x" * 64, "\n"])
def test_an_illegal_move_is_a_fault(text: str) -> None:
    seats = Seats([text])
    with pytest.raises(NoMove, match="broke the rule 'illegal-move'"):
        Desk(seats, seconds=7).move(line())
    assert seats.players[0].closed == 1


def test_a_failure_of_ours_is_tried_once_more() -> None:
    seats = Seats([Void("the zygote died")], ["d2d3"])
    assert Desk(seats, seconds=7).move(line()) == "d2d3"
    seats = Seats([Void("it died")], [Void("it died")], ["d2d3"])
    with pytest.raises(NoMove, match="we failed to ask the agent: it died"):
        Desk(seats, seconds=7).move(line())


def test_a_starved_player_is_not_asked_again() -> None:
    seats = Seats([Starved("no CPU")], ["d2d3"])
    with pytest.raises(NoMove, match="no CPU"):
        Desk(seats, seconds=7).move(line())
    assert len(seats.players) == 1


def test_nobody_is_asked_when_the_game_is_over() -> None:
    seats = Seats()
    with pytest.raises(NoMove, match="the game is over: insufficient-material"):
        Desk(seats, seconds=7).move(line(start="k3/4/4/4/3K w - - 0 1"))
    assert seats.players == []


def test_a_player_that_does_not_start_is_told_in_one_line() -> None:
    class Never(ScriptedPlayer):
        def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
            raise Fault("exception", "ImportError: no\nmodule")

    player = Never()
    with pytest.raises(NoMove) as caught:
        Desk(lambda: player, seconds=7).prepare(line(), WHITE)
    words = r"the agent does not start: the agent broke the rule 'exception': ImportError: no\x0amodule"
    assert str(caught.value) == words
    assert player.closed == 1


def test_leaving_twice_does_no_harm() -> None:
    seats = Seats()
    desk = Desk(seats, seconds=7)
    desk.leave()
    desk.move(line())
    desk.leave()
    desk.leave()
    assert seats.players[0].closed == 1

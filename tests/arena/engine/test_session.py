"""Asking one agent for moves: its process, its game and its time."""

import logging
from collections.abc import Iterator

import pytest

from agents.seat import Answer, Fault, Times
from arena.engine.session import AgentSession, GameLine, NoMove
from arena.errors import Starved, Void
from arena.referee.scripted_player import ScriptedPlayer
from games.base import BLACK, WHITE, Color, Game, load
from games.errors import BadPosition, IllegalMove

MICRO = load("microchess")


class Players:
    """Makes scripted players and keeps them; `opened` lists their colours, start positions and seeds."""

    def __init__(self, *scripts: list[str | Answer | Exception]) -> None:
        self._scripts: Iterator[list[str | Answer | Exception]] = iter(scripts)
        self.players: list[ScriptedPlayer] = []
        self.opened: list[tuple[Color, str, int]] = []

    def __call__(self, _on_report: object) -> ScriptedPlayer:
        opened = self.opened

        class Recorded(ScriptedPlayer):
            def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
                super().open(game, color, start=start, seed=seed)
                opened.append((color, start, seed))

        self.players.append(Recorded(next(self._scripts, [])))
        return self.players[-1]


def line(*moves: str, start: str = "", game: Game = MICRO) -> GameLine:
    return GameLine.begin(game, start, moves)


def test_a_game_line_has_its_start_and_its_moves() -> None:
    played = line("d2d3", "a4a3")
    assert played.start == MICRO.start().text
    assert played.moves == ("d2d3", "a4a3")
    assert played.state.turns == 2


def test_a_game_line_refuses_illegal_moves_and_positions() -> None:
    with pytest.raises(IllegalMove):
        line("d2d5")
    with pytest.raises(BadPosition):
        line(start="nonsense")


def test_a_game_line_has_moves_in_the_text_form_of_the_game() -> None:
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
def test_a_game_line_extends_its_earlier_turns(later: GameLine, earlier: GameLine, extends: bool) -> None:
    assert later.extends(earlier) is extends


def test_one_player_plays_a_whole_game() -> None:
    made = Players(["d2d3", "d3d4"])
    session = AgentSession(made, seconds=7)
    assert session.move(line()) == "d2d3"
    assert session.move(line("d2d3", "a4a3")) == "d3d4"
    assert len(made.players) == 1
    assert [history.moves for history, _ in made.players[0].asked] == [(), ("d2d3", "a4a3")]


def test_the_same_position_can_be_asked_again() -> None:
    made = Players(["d2d3", "d2d4"])
    session = AgentSession(made, seconds=7)
    assert [session.move(line()), session.move(line())] == ["d2d3", "d2d4"]
    assert len(made.players) == 1


@pytest.mark.parametrize(
    "other",
    [
        line("d2d3"), line("d2d4", "a4a3", "c1d3", "d5d4"), line("d2d4", "a4a3"), line("d2d3", "a4a3", "d3d4"),
        line(start="k3/4/4/1R2/3K w - - 0 1"), line("d2d3", "a4a3", game=load("microchess:turns=10")),
    ],
    ids=["shorter", "longer but other", "as long but other", "other colour", "other start", "other rules"],
)  # fmt: skip
def test_another_game_gets_a_fresh_player(other: GameLine) -> None:
    made = Players()
    session = AgentSession(made, seconds=7)
    session.move(line("d2d3", "a4a3"))
    session.move(other)
    assert len(made.players) == 2
    assert [player.closed for player in made.players] == [1, 0]
    assert made.opened[1][:2] == (other.state.turn, other.start)


def test_each_game_has_its_own_seed_and_the_session_seed_repeats_them() -> None:
    def seeds(seed: str | None) -> list[int]:
        made = Players()
        session = AgentSession(made, seconds=7, seed=seed)
        for _ in range(2):
            session.move(line())
            session.close()
        return [opened[2] for opened in made.opened]

    assert seeds("a") == seeds("a") != seeds("b")
    assert len({*seeds("a"), *seeds(None), *seeds(None)}) == 6


def test_a_prepared_player_is_the_one_that_is_asked() -> None:
    made = Players()
    session = AgentSession(made, seconds=7)
    session.prepare(line(), WHITE)
    session.move(line())
    assert len(made.players) == 1
    session.prepare(line(), BLACK)
    assert [color for color, _, _ in made.opened] == [WHITE, BLACK]


def test_without_a_clock_the_budget_is_counted_down() -> None:
    made = Players([Answer("d2d3", 2.5, 0, 0), Answer("d3d4", 1.0, 0, 0)])
    session = AgentSession(made, seconds=7)
    session.move(line())
    session.move(line("d2d3", "a4a3"))
    assert [times.own for _, times in made.players[0].asked] == [7, 4.5]
    session.close()
    session.move(line())
    assert [times.own for _, times in made.players[1].asked] == [7]


def test_the_clock_is_passed_to_the_player() -> None:
    made = Players()
    times = Times(own=1.5, opponent=2.5, opponent_last_move=0.5)
    AgentSession(made, seconds=7).move(line(), times)
    assert made.players[0].asked[0][1] == times


def test_a_used_up_budget_leaves_a_minimum() -> None:
    made = Players([Answer("d2d3", 9.0, 0, 0)])
    session = AgentSession(made, seconds=7)
    session.move(line())
    session.move(line("d2d3", "a4a3"))
    assert made.players[0].asked[1][1].own == 0.01


def test_a_fault_is_one_safe_line_and_the_player_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    fault = Fault("exception", "Value\x1b[31mError\nno", {"traceback": "Trace\x1b\nline 2", "stderr": "printed"})
    made = Players([fault], ["d2d3"])
    session = AgentSession(made, seconds=7)
    with caplog.at_level(logging.WARNING), pytest.raises(NoMove) as caught:
        session.move(line())
    assert str(caught.value) == r"the agent broke the rule 'exception': Value\x1b[31mError\x0ano"
    assert caplog.messages == [f"{caught.value}\nTrace\\x1b\nline 2\nprinted"]
    assert made.players[0].closed == 1
    assert session.move(line()) == "d2d3"
    assert len(made.players) == 2


@pytest.mark.parametrize("text", ["d2d5", "", "0000", "None", "x" * 64, "\n"])
def test_an_illegal_move_is_a_fault(text: str) -> None:
    made = Players([text])
    with pytest.raises(NoMove, match="broke the rule 'illegal-move'"):
        AgentSession(made, seconds=7).move(line())
    assert made.players[0].closed == 1


def test_a_void_attempt_is_repeated_once() -> None:
    made = Players([Void("the zygote died")], ["d2d3"])
    assert AgentSession(made, seconds=7).move(line()) == "d2d3"
    made = Players([Void("it died")], [Void("it died")], ["d2d3"])
    with pytest.raises(NoMove, match="the arena failed to ask the agent: it died"):
        AgentSession(made, seconds=7).move(line())


def test_a_starved_player_is_not_asked_again() -> None:
    made = Players([Starved("no CPU")], ["d2d3"])
    with pytest.raises(NoMove, match="no CPU"):
        AgentSession(made, seconds=7).move(line())
    assert len(made.players) == 1


def test_no_player_is_asked_when_the_game_is_over() -> None:
    made = Players()
    with pytest.raises(NoMove, match="the game is over: insufficient-material"):
        AgentSession(made, seconds=7).move(line(start="k3/4/4/4/3K w - - 0 1"))
    assert made.players == []


def test_a_player_that_does_not_start_is_reported_in_one_line() -> None:
    class Never(ScriptedPlayer):
        def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
            raise Fault("exception", "ImportError: no\nmodule")

    player = Never()
    with pytest.raises(NoMove) as caught:
        AgentSession(lambda _: player, seconds=7).prepare(line(), WHITE)
    message = r"the agent does not start: the agent broke the rule 'exception': ImportError: no\x0amodule"
    assert str(caught.value) == message
    assert player.closed == 1


def test_closing_twice_is_harmless() -> None:
    made = Players()
    session = AgentSession(made, seconds=7)
    session.close()
    session.move(line())
    session.close()
    session.close()
    assert made.players[0].closed == 1

"""`import arena`: typed functions that return values, emit events, and print nothing."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.competition.events import Event, Finished, GameStarted, GameStored, Notice, TurnPlayed
from results.store.store import Store


@pytest.fixture
def shell(request: pytest.FixtureRequest) -> Any:
    """The command line; the fixture `arena` has the name of the module here."""
    return request.getfixturevalue("arena")


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


OURS = {"agents", "arena", "games", "results", "stockfish_bridge"}


class FirstMove(arena.BaseAgent):
    def act(self, state: Any) -> Any:
        return next(iter(state.legal_moves))


class Breaks(arena.BaseAgent):
    def act(self, state: Any) -> Any:
        raise ValueError("not today")


def test_importing_arena_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import arena; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    ours = {name for name in ran.stdout.split() if name.partition(".")[0] in OURS}
    assert ours == {"arena"}
    assert not {"click", "numpy", "pandas", "sqlite3", "chess"} & set(ran.stdout.split())


def test_every_name_of_the_api_exists() -> None:
    for name in arena.__all__:
        assert getattr(arena, name) is not None
        assert name in dir(arena)
    with pytest.raises(AttributeError, match="has no attribute 'leage'"):
        arena.leage  # noqa: B018


def test_a_league_from_python_is_the_same_as_from_the_command_line(shell: Any, tmp_path: Path) -> None:
    result = arena.league(["random", "first_move"], turns=6, seed="7", name="cup", db="python.db")
    ran = shell("league", "random", "first_move", "--turns", "6", "--seed", "7", "--name", "cup", "--db", "cli.db")
    assert ran.code == 0, ran.err
    moves = []
    for file in ("python.db", "cli.db"):
        with Store.read(tmp_path / file) as store:
            moves.append({record.key: [move.text for move in record.moves] for record in store.records("cup")})
    assert moves[0] == moves[1]
    assert len(moves[0]) == result.summary.done == 2
    assert result.standings.text() in ran.out


def test_a_league_of_a_class_of_this_file(capfd: pytest.CaptureFixture[str]) -> None:
    result = arena.league([FirstMove, "random", Breaks], turns=6)
    assert sorted(result.to_pandas()["agent"]) == ["Breaks", "FirstMove", "random"]
    faults = result.games(faults=True)
    assert {(game.fault.rule, game.fault.phase, game.fault.turn) for game in faults} <= {
        ("exception", "act", 1), ("exception", "act", 2)
    }  # fmt: skip
    assert len(faults) == 4
    assert capfd.readouterr() == ("", "")


def test_events_tell_everything_that_happens() -> None:
    events: list[Event] = []
    arena.league(["random", "first_move"], turns=4, on_event=events.append)
    kinds = [type(event) for event in events]
    assert kinds.count(GameStarted) == kinds.count(GameStored) == 2
    assert kinds[-1] is Finished
    stored = [event for event in events if isinstance(event, GameStored)]
    assert [(event.done, event.total) for event in stored] == [(1, 2), (2, 2)]
    assert any(isinstance(event, Notice) for event in events)


def test_a_game_sends_an_event_for_every_turn() -> None:
    events: list[Event] = []
    game = arena.play("first_move", "random", turns=4, on_event=events.append)
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert [event.turn for event in turns] == [0, 1, 2, 3, 4]
    assert [event.mover for event in turns] == [None, "first", "second", "first", "second"]
    assert [event.move for event in turns[1:]] == [move.text for move in game.record.moves]
    assert turns[-1].state.text == game[-1].text


def test_an_interrupted_league_continues_with_the_same_call() -> None:
    def stop(event: Event) -> None:
        if isinstance(event, GameStored):
            raise KeyboardInterrupt

    call = {"agents": ["random", "first_move"], "turns": 4, "rounds": 3, "workers": 1}
    with pytest.raises(KeyboardInterrupt):
        arena.league(**call, on_event=stop)  # type: ignore[arg-type]
    events: list[Event] = []
    result = arena.league(**call, on_event=events.append)  # type: ignore[arg-type]
    assert result.summary.done == 6
    assert result.summary.is_resumed
    assert sum(isinstance(event, GameStored) for event in events) == 5


def test_a_benchmark_and_a_match_return_their_scores() -> None:
    found = arena.benchmark("first_move", "random", games=4, turns=4, opening_turns=2)
    assert found.match.overall.games == len(found.games()) == 4
    assert not found.summary.is_resumed
    assert "first_move" in str(found)
    decided = arena.match("one_step_search", "random", sprt=(-400, 400), turns=8, opening_turns=2, games=60)
    assert decided.verdict
    assert decided.to_pandas().shape[0] == 1


def test_mistakes_are_exceptions_of_one_tree() -> None:
    for call in (
        lambda: arena.league(["random"]),
        lambda: arena.league(["random", "nobody"]),
        lambda: arena.league(["random", "greedy"], opening_turn=2),
        lambda: arena.league(["human", "greedy"]),
        lambda: arena.play("human", "random"),
        lambda: arena.open("missing.db"),
        lambda: arena.standings("missing.db"),
        lambda: arena.check("nobody"),
        lambda: arena.submit(Breaks),
    ):
        with pytest.raises(arena.ArenaError) as caught:
            call()
        assert "\n" not in str(caught.value)
    assert not (Path("arena.db")).exists()


def test_a_class_can_be_checked_and_submitted_and_is_an_agent_then() -> None:
    assert arena.check(FirstMove).passed
    done = arena.submit(FirstMove, name="my_bot", owner="Ada")
    assert (done.name, done.version, done.is_new) == ("my_bot", 1, True)
    assert not arena.submit(FirstMove, name="my_bot").is_new
    assert arena.play("my_bot", "random", turns=2).record.first.name == "my_bot"


def test_no_process_is_left(processes_of: Any) -> None:
    arena.league(["random", "first_move"], turns=4)
    assert processes_of(os.getpid()) == []

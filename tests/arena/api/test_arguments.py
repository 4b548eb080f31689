"""Wrong arguments of the API: one clear exception of arena's tree, and nothing is stored."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.competition.events import Event, Finished, GameStored
from arena.competition.league_file import entrant_line
from arena.competition.plan import differences_from, make_plan
from arena.competition.run import entrants_of
from arena.competition.settings import Settings
from results.store.store import Store


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


class Deep(arena.BaseAgent):
    def __init__(self, name: str, color: bool, depth: int = 1) -> None:
        super().__init__(name, color)
        self.depth = depth

    def act(self, state: Any) -> Any:
        assert self.depth == 3
        return next(iter(state.legal_moves))


class Stranger:
    def act(self, state: Any) -> Any:
        return next(iter(state.legal_moves))


class Idle(arena.BaseAgent):
    """Has no method act."""


BOTH = ("random", "greedy")
WRONG: dict[str, tuple[type[Exception], Callable[[], object], str]] = {
    "no games": (arena.BadSettings, lambda: arena.benchmark(*BOTH, games=0), "games must be a whole number from 1 to"),
    "negative games": (arena.BadSettings, lambda: arena.benchmark(*BOTH, games=-3), "games must be .*, not -3"),
    "half games": (arena.BadSettings, lambda: arena.benchmark(*BOTH, games=1.5), "games must be .*, not 1.5"),
    "text games": (arena.BadSettings, lambda: arena.benchmark(*BOTH, games="3"), "games must be .*, not '3'"),
    "too many games": (arena.BadSettings, lambda: arena.benchmark(*BOTH, games=10**6), "from 1 to 100000"),
    "match games": (arena.BadSettings, lambda: arena.match(*BOTH, sprt=(0, 9), games=-1), "games must be .* from 2 to"),
    "test": (arena.BadSettings, lambda: arena.match(*BOTH, sprt=5), "sprt must be two numbers, .*, not 5"),
    "text test": (arena.BadSettings, lambda: arena.match(*BOTH, sprt=("a", "b")), "sprt must be two numbers"),
    "test backwards": (arena.BadSettings, lambda: arena.match(*BOTH, sprt=(9, 0)), "elo0 must be below elo1"),
    "levels": (arena.BadSettings, lambda: arena.benchmark("random", "stockfish", levels="5"), "levels must be a list"),
    "level": (arena.BadSettings, lambda: arena.benchmark("random", "stockfish", levels=[21]), "each level must be"),
    "levels of others": (arena.BadSettings, lambda: arena.benchmark(*BOTH, levels=[1]), "^levels need `stockfish`"),
    "rounds of a game": (arena.BadSettings, lambda: arena.play(*BOTH, rounds=2), "^play has no setting rounds; it has"),
    "rounds": (arena.BadSettings, lambda: arena.benchmark(*BOTH, rounds=3), "^benchmark has no setting rounds"),
    "format": (arena.BadSettings, lambda: arena.benchmark(*BOTH, format="swiss"), "benchmark has no setting format"),
    "match format": (arena.BadSettings, lambda: arena.match(*BOTH, sprt=(0, 9), format="swiss"), "match has no "),
    "unknown": (arena.BadSettings, lambda: arena.play(*BOTH, colour=2), "unknown key 'colour'"),
    "turns": (arena.BadSettings, lambda: arena.play(*BOTH, game="othello", turns=2), "leave turns out$"),
    "time of a check": (arena.BadSettings, lambda: arena.check("random", time=-1), "time must be a number of seconds"),
    "text time": (arena.BadSettings, lambda: arena.check("random", time="x"), "time must be .*, not 'x'"),
    "game of a check": (arena.BadSettings, lambda: arena.check("random", game=3), "game must be a text .*, not 3"),
    "needs": (arena.BadSettings, lambda: arena.check("random", needs="torch"), "needs must be a list"),
    "name": (arena.BadSettings, lambda: arena.submit(Deep, name=5), "^name must be a text, not 5$"),
    "owner": (arena.BadSettings, lambda: arena.submit(Deep, owner=5), "^owner must be a text, not 5$"),
    "bundled name": (arena.BadSettings, lambda: arena.submit(Deep, name="random"), "choose another name$"),
    "submitted": (arena.UnknownAgent, lambda: arena.submit({"agent": Deep}), "^submit a file, a folder or a class"),
    "no agents": (arena.BadSettings, lambda: arena.league(None), "the agents of a league must be a list, not None"),
    "a text": (arena.BadSettings, lambda: arena.league("random"), "the agents of a league .*, not 'random'"),
    "a class": (arena.BadSettings, lambda: arena.league(Deep), "the agents of a league must be a list"),
    "one agent": (arena.BadSettings, lambda: arena.league(["random"]), "two entrants; name agents or a league"),
    "no file": (arena.StoreError, lambda: arena.league(BOTH, db=None), "^a results file is given as a text or a path"),
    "no file to read": (arena.StoreError, lambda: arena.open(None), "^a results file is given as a text or a path"),
    "stranger": (arena.UnknownAgent, lambda: arena.play(Stranger, "random"), "Stranger is not an agent: it must be a"),
    "idle": (arena.UnknownAgent, lambda: arena.check(Idle), r"^class Idle has no method act\(self, state\)$"),
    "object": (arena.UnknownAgent, lambda: arena.play(Deep("a", True), "random"), "^give the class Deep, not an"),
    "number": (arena.UnknownAgent, lambda: arena.play(5, "random"), "^an agent is a text, a path or a class, not 5$"),
    "no agent": (arena.BadSettings, lambda: arena.league([{"name": "a"}, "random"]), "^entrant .*: agent is missing$"),
    "key": (arena.BadSettings, lambda: arena.league([{"agent": "mcts", "dept": 1}]), "unknown key 'dept'"),
    "options": (arena.BadSettings, lambda: arena.check({"agent": Deep, "options": 3}), "options must be a table"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument_is_refused_in_one_line(what: str) -> None:
    kind, call, text = WRONG[what]
    with pytest.raises(arena.ArenaError, match=text) as caught:
        call()
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    assert "--" not in str(caught.value)
    assert not Path("arena.db").exists()


def test_a_mapping_is_an_agent_with_options_and_a_name() -> None:
    given = [{"agent": "mcts", "options": {"simulations": 50}, "name": "tree"}, {"agent": Deep, "memory": "256M"}, Deep]
    tree, large, plain = entrants_of(given)
    assert (tree.name, tree.options, large.name, plain.name) == ("tree", {"simulations": 50}, "Deep", "Deep#2")
    assert (large.grants.memory, plain.grants.memory) == (256 << 20, None)
    assert entrant_line(Path("a/b.py")).text == "a/b.py"
    assert entrant_line({"agent": Path("a/b.py"), "options": {"depth": 2}}).text == "a/b.py:depth=2"


def test_a_class_gets_its_options() -> None:
    game = arena.play({"agent": Deep, "options": {"depth": 3}}, {"agent": Deep, "name": "shallow"}, turns=4)
    assert (game.first, game.second, game.winner) == ("Deep:depth=3", "shallow", "Deep:depth=3")
    assert not arena.check(Deep).passed
    assert arena.check({"agent": Deep, "options": {"depth": 3}}).passed


def test_a_match_counts_its_games_up_to_those_that_are_wanted() -> None:
    events: list[Event] = []
    found = arena.match(
        "random", "first_move", sprt=arena.Sprt(-1, 1, alpha=0.01, beta=0.01, model="normalized"), games=4, turns=2,
        opening_turns=1, on_event=events.append,
    )  # fmt: skip
    assert (found.summary.done, found.summary.total) == (4, 4)
    assert [event.total for event in events if isinstance(event, GameStored)] == [4] * 4
    assert [event.summary.total for event in events if isinstance(event, Finished)] == [4]


def test_the_newest_league_is_the_one_that_the_command_line_takes() -> None:
    arena.league(["random", "first_move"], turns=2, name="cup")
    arena.play("random", "first_move", turns=2)
    assert arena.standings().league.name == "cup"


def test_a_benchmark_with_another_number_of_games_is_refused_by_that_name() -> None:
    settings = Settings(format="match", rounds=3)
    stored, wanted = (
        make_plan("benchmark", entrants_of(["random", "greedy"]), made)
        for made in (settings, Settings(format="match", rounds=5))
    )
    with Store.open(Path("arena.db"), create=True) as store:
        entrants = [entrant.record() for entrant in stored.entrants]
        league = store.create_league(
            "bb", kind="benchmark", settings=stored.settings.stored(), secret="", entrants=entrants
        )
    assert list(differences_from(league, wanted)) == ["games was 3, is 5"]


def test_a_league_that_another_thread_plays_is_refused() -> None:
    playing, done = threading.Event(), threading.Event()

    def wait(event: Event) -> None:
        if isinstance(event, GameStored) and not playing.is_set():
            playing.set()
            assert done.wait(600)

    call: dict[str, Any] = {"agents": ["random", "first_move"], "turns": 2, "workers": 1, "name": "cup"}
    other = threading.Thread(target=lambda: arena.league(**call, on_event=wait))
    other.start()
    try:
        assert playing.wait(600)
        with pytest.raises(arena.Locked, match=r"^this process is already playing cup in another thread; wait for it$"):
            arena.league(**call)
    finally:
        done.set()
        other.join()
    assert arena.league(**call).summary.done == 2


def test_the_exceptions_that_docstrings_name_are_exported() -> None:
    for function in (arena.play, arena.submit, arena.check):
        named = [word.strip("`.,;:()") for word in (function.__doc__ or "").split() if word.startswith("`")]
        kinds = [word for word in named if word[:1].isupper()]
        assert kinds
        assert all(hasattr(arena, word) for word in kinds)


def test_a_check_and_a_submission_show_themselves() -> None:
    report = arena.check("first_move")
    assert repr(report) == "<check of first_move: passed>"
    assert "first_move: passed" in report._repr_html_()
    with pytest.raises(arena.CheckFailed) as caught:
        arena.submit(Deep, name="deep")
    assert "AssertionError" in caught.value.report._repr_html_()

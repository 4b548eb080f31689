"""The request loop of a player's process, tested in this process."""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.child import ERROR_BYTES, MOVE_BYTES, Loop
from games.base import State, load, names

TAG = b"12345678"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The loop changes the interpreter that it runs in, which is ours here: undo that."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(Path.cwd())
    before, dice = set(sys.modules), random.getstate()
    yield
    random.setstate(dice)
    for name in set(sys.modules) - before:
        del sys.modules[name]


def ask(loop: Loop, verb: str, **words: Any) -> tuple[str, str]:
    reply = loop.handle(TAG + json.dumps({verb: words}).encode())
    assert reply[:8] == TAG
    return chr(reply[8]), reply[9:].decode()


def loaded(agent: str, *, game: str = "microchess", stage: Path | str = "", **changes: Any) -> Loop:
    loop = Loop()
    made = load(game)
    words = {
        "game": game, "start": made.start().text, "agent": agent, "stage": str(stage), "name": "x", "options": {},
        "color": made.first, "seed": 1,
    }  # fmt: skip
    assert ask(loop, "load", **words | changes) == ("k", "")
    assert ask(loop, "reset") == ("k", "")
    return loop


def write(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("from agents import BaseAgent\n" + body)
    return folder


def same(one: State, other: State) -> bool:
    history = [getattr(state, "move_stack", None) for state in (one, other)]
    moves = [[str(move) for move in state.legal_moves] for state in (one, other)]
    return (
        one.text == other.text and one.turns == other.turns and one.ending == other.ending
        and history[0] == history[1] and moves[0] == moves[1]
    )  # fmt: skip


@pytest.mark.parametrize("game", names())
def test_an_agent_sees_the_referees_state_after_every_turn(game: str) -> None:
    rng = random.Random(5)
    for _ in range(5):
        state = load(game).start()
        loop = loaded("agents.basic.random_agent.RandomAgent", game=game)
        moves: list[str] = []
        while not state.is_game_over() and len(moves) < 120:
            kind, text = ask(loop, "act", moves=moves, own=10.0, opponent=9.0)
            assert kind == "m"
            assert same(loop._state, state)
            assert state.parse(text) in state.legal_moves
            for move in (text, None):
                if move is None and not state.is_game_over():
                    move = str(rng.choice(list(state.legal_moves)))
                if move is not None:
                    moves.append(move)
                    state = state.forward(state.parse(move))


def test_the_seed_decides_what_a_random_agent_does() -> None:
    def first_moves(seed: int) -> list[str]:
        loop = loaded("agents.basic.random_agent.RandomAgent", seed=seed)
        return [ask(loop, "act", moves=[], own=1.0, opponent=1.0)[1] for _ in range(10)]

    assert first_moves(1) == first_moves(1) != first_moves(2)


TIMED = """
class Timed(BaseAgent):
    def act(self, state):
        return f"{self.time_left} {state.white_remain_sec} {state.black_remain_sec}"
"""


def test_an_agent_is_given_the_true_times_of_both_sides(tmp_path: Path) -> None:
    write(tmp_path, "timed.py", TIMED)
    loop = loaded("timed.py", stage=tmp_path)
    assert ask(loop, "act", moves=[], own=7.5, opponent=3.25) == ("m", "7.5 7.5 3.25")
    loop = loaded("timed.py", stage=tmp_path, color=False)
    assert ask(loop, "act", moves=[], own=7.5, opponent=3.25) == ("m", "7.5 3.25 7.5")


VANDAL = """
class Vandal(BaseAgent):
    def act(self, state):
        state.clear()
        state.push_uci("0000")
        return "x"
"""


def test_changes_of_an_agent_to_its_state_have_no_effect(tmp_path: Path) -> None:
    write(tmp_path, "vandal.py", VANDAL)
    loop = loaded("vandal.py", stage=tmp_path)
    for moves in ([], ["c1d3"], ["c1d3", "b5a3"]):
        assert ask(loop, "act", moves=moves, own=1.0, opponent=1.0) == ("m", "x")
    assert loop._state.turns == 2


@pytest.mark.parametrize(
    ("returned", "text"),
    [("None", "None"), ("'é\\udc80'", "??"), ("'x' * 500", "x" * MOVE_BYTES), ("['a']", "['a']"), ("b'a'", "b'a'")],
)
def test_a_move_is_short_ascii_whatever_was_returned(tmp_path: Path, returned: str, text: str) -> None:
    write(tmp_path, "odd.py", f"class Odd(BaseAgent):\n    def act(self, state):\n        return {returned}\n")
    assert ask(loaded("odd.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0) == ("m", text)


LOUD = """
class Loud(BaseAgent):
    def act(self, state):
        raise ValueError("x" * 100_000 + "the end")
"""


def test_of_a_long_exception_the_end_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "loud.py", LOUD)
    kind, text = ask(loaded("loud.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0)
    assert kind == "e"
    assert text.endswith("the end\n")
    assert len(text.encode()) == ERROR_BYTES


WORDY = """
class Wordy(BaseAgent):
    def act(self, state):
        raise ValueError("first line\\nsecond line" + "x" * 100_000)
"""


def test_the_headline_of_an_exception_is_its_type_and_first_line(tmp_path: Path) -> None:
    write(tmp_path, "wordy.py", WORDY)
    _, text = ask(loaded("wordy.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0)
    assert text.partition("\n")[0] == "ValueError: first line"


OLD = """
class Old(BaseAgent):
    def __init__(self, name, color):
        self.name = name
        self.color = color

    def act(self, state):
        return self.rng.choice(list(state.legal_moves))
"""


def test_agents_of_the_earlier_platform_need_not_call_our_constructor(tmp_path: Path) -> None:
    write(tmp_path, "old.py", OLD)
    kind, text = ask(loaded("old.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0)
    assert (kind, len(text)) == ("m", 4)


OPTS = """
class Opts(BaseAgent):
    def __init__(self, name, color, depth=1, book="none"):
        super().__init__(name, color)
        self.said = f"{name} {depth + 1} {book}"

    def act(self, state):
        return self.said
"""


def test_options_reach_the_constructor(tmp_path: Path) -> None:
    write(tmp_path, "opts.py", OPTS)
    loop = loaded("opts.py", stage=tmp_path, options={"depth": 4, "book": "a b"})
    assert ask(loop, "act", moves=[], own=1.0, opponent=1.0) == ("m", "x 5 a b")


AGENT = "class Mine(BaseAgent):\n    def act(self, state):\n        return {}\n"


@pytest.mark.parametrize(
    ("files", "agent"),
    [
        ({"plain.py": AGENT.format("'ok'")}, "plain.py"),
        ({"plain2.py": AGENT.format("'ok'")}, "plain2.py:Mine"),
        ({"plain3.py": AGENT.format("'ok'")}, "plain3.Mine"),
        ({"plain4.py": AGENT.format("'ok'")}, "plain4"),
        ({"with-hyphen.py": AGENT.format("'ok'")}, "with-hyphen.py"),
        ({"random.py": AGENT.format("'ok'")}, "random.py"),
        ({"pack/__init__.py": "from .inner import Mine\n", "pack/inner.py": AGENT.format("'ok'")}, "pack/__init__.py"),
        ({"pack2/__init__.py": "", "pack2/inner.py": AGENT.format("'ok'")}, "pack2.inner.Mine"),
        (
            {"helped.py": "from helper_a import SAID\n" + AGENT.format("SAID"), "helper_a.py": "SAID = 'ok'\n"},
            "helped.py",
        ),
        (
            {
                "sib/agent.py": "import neighbour\n" + AGENT.format("neighbour.SAID"),
                "sib/neighbour.py": "SAID = 'ok'\n",
            },
            "sib/agent.py",
        ),
        (
            {"rel/agent.py": "from .near import SAID\n" + AGENT.format("SAID"), "rel/near.py": "SAID = 'ok'\n"},
            "rel/agent.py",
        ),
        *(
            ({f"{name}/agent.py": "from .near import SAID\n" + AGENT.format("SAID"),
              f"{name}/near.py": "SAID = 'ok'\n"}, f"{name}/agent.py")
            for name in ("chess", "random", "json", "numpy", "agents", "games", "wave", "with.dot")
        ),
        ({"wave.py": AGENT.format("'ok'")}, "wave.py"),
        ({"based.py": "from agents.basic.random_agent import RandomAgent\n" + AGENT.format("'ok'")}, "based.py"),
    ],
)  # fmt: skip
def test_an_agent_is_found_in_every_layout_of_files(tmp_path: Path, files: dict[str, str], agent: str) -> None:
    for name, body in files.items():
        write(tmp_path, name, body)
    assert ask(loaded(agent, stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0) == ("m", "ok")


OWN_BASE = """
from abc import abstractmethod

class Base(BaseAgent):
    @abstractmethod
    def value(self, state, depth): ...

class Mine(Base):
    def act(self, state):
        return 1
"""


@pytest.mark.parametrize(
    ("body", "agent", "words"),
    [
        ("", "none.py", "none.py has no class that is a subclass of BaseAgent; write `class MyAgent(BaseAgent):`"),
        (
            AGENT.format(1) + "class Two(Mine):\n    pass\n",
            "two.py",
            "two.py has several agent classes (Mine, Two); choose one, as in two.py:Mine",
        ),
        ("class Other:\n    pass\n", "other.py:Other", "Other is not a subclass of BaseAgent"),
        ("", "gone.py:Nobody", "gone.py has no class Nobody"),
        ("class Half(BaseAgent):\n    pass\n", "half.py", "class Half has no method act(self, state)"),
        ("class Part(BaseAgent):\n    pass\n", "part.py:Part", "class Part has no method act(self, state)"),
        (OWN_BASE, "based.py:Mine", "class Mine has no method value(self, state, depth)"),
    ],
)
def test_a_class_that_cannot_be_used_is_an_error_with_a_reason(
    tmp_path: Path, body: str, agent: str, words: str
) -> None:
    write(tmp_path, agent.partition(":")[0], body)
    reply = ask(
        Loop(), "load", game="microchess", start=load("microchess").start().text, agent=agent, stage=str(tmp_path),
        name="x", options={}, color=True, seed=1,
    )  # fmt: skip
    assert reply == ("n", words)


def test_running_out_of_memory_is_a_reply_of_its_own_kind(tmp_path: Path) -> None:
    write(tmp_path, "big.py", "class Big(BaseAgent):\n    def act(self, state):\n        raise MemoryError('full')\n")
    kind, text = ask(loaded("big.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0)
    assert (kind, text.partition("\n")[0]) == ("o", "MemoryError: full")


def test_the_name_of_an_exception_does_not_make_it_one_of_memory(tmp_path: Path) -> None:
    body = "class NotAMemoryError(Exception): pass\nclass MemoryError(NotAMemoryError): pass\n"
    body += "class Odd(BaseAgent):\n    def act(self, state):\n        raise MemoryError('full')\n"
    write(tmp_path, "odd.py", body)
    kind, _ = ask(loaded("odd.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0)
    assert kind == "e"


def test_a_folder_does_not_hide_a_module_of_the_same_name(tmp_path: Path) -> None:
    write(tmp_path, "wave/agent.py", "import wave\n" + AGENT.format("wave.open.__name__"))
    assert ask(loaded("wave/agent.py", stage=tmp_path), "act", moves=[], own=1.0, opponent=1.0) == ("m", "open")

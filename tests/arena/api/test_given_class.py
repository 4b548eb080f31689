"""The class that is given is the class that plays, with everything that it uses; otherwise it is refused."""

import importlib.util
import itertools
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.entrants.class_source import source_of
from arena.errors import UnknownAgent

HEAD = "from agents import BaseAgent\n\n"
Script = Callable[[str], ModuleType]


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Script]:
    """Runs a text as a module of its own, as Python itself would, not as pytest loads this file."""
    numbers, made = itertools.count(), []

    def load(text: str) -> ModuleType:
        name = f"script_{tmp_path.name}_{next(numbers)}"
        (tmp_path / f"{name}.py").write_text(HEAD + text)
        spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        made.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in made:
        del sys.modules[name]


def staged(agent: type) -> Any:
    """An object of the class as a player's process makes it: from the written source alone."""
    namespace: dict[str, Any] = {"__name__": "staged"}
    exec(compile(source_of(agent), "staged.py", "exec", dont_inherit=True), namespace)
    return namespace[agent.__name__]("name", True)


def act(agent: type, state: Any = None) -> Any:
    return staged(agent).act(state)


TWICE = """
class V(BaseAgent):
    def act(self, state):
        return state[0]

Old = V

class V(BaseAgent):
    def act(self, state):
        return state[-1]
"""


def test_of_two_classes_of_one_name_each_plays_its_own_code(script: Script) -> None:
    module = script(TWICE)
    assert (act(module.Old, [1, 2, 3]), act(module.V, [1, 2, 3])) == (1, 3)


def test_a_class_that_uses_its_name_after_another_took_it_is_refused(script: Script) -> None:
    module = script(TWICE.replace("state[0]", "V.__name__"))
    with pytest.raises(UnknownAgent, match="V uses its own name, but the name now belongs to something else"):
        source_of(module.Old)


def test_an_attribute_plays_as_it_is_now(script: Script) -> None:
    module = script(
        "class Deep(BaseAgent):\n    depth = 1\n    table = {}\n    __secret = 1\n"
        "    def act(self, state):\n        return self.depth, self.table, self.__secret, self.extra\n"
        "Deep.depth = 7\nDeep.table['a'] = {1, 2}\nDeep._Deep__secret = 2\nDeep.extra = float('-inf')\n"
    )
    assert act(module.Deep) == (7, {"a": {1, 2}}, 2, -math.inf)


def test_an_attribute_that_was_not_changed_is_not_written_again(script: Script) -> None:
    module = script("class A(BaseAgent):\n    depth: int = 1\n    def act(self, state):\n        return self.depth\n")
    assert "A.depth" not in source_of(module.A)


@pytest.mark.parametrize(
    "change",
    [
        "A.act = lambda self, state: 2", "def other(self, state):\n    return 2\nA.act = other", "A.reset = print_it",
        "A.act = 5", "del A.act", "A.more = staticmethod(print_it)", "A.half = property(print_it)",
    ],
)  # fmt: skip
def test_a_class_whose_methods_were_changed_is_refused(script: Script, change: str) -> None:
    module = script(
        "def print_it(self):\n    print(self)\n\nclass A(BaseAgent):\n    def act(self, state):\n        return 1\n"
        f"    @property\n    def half(self):\n        return 1\n\n{change}\n"
    )
    with pytest.raises(UnknownAgent, match=r"^class A differs from its source \((act|reset|more|half)\): .* after"):
        source_of(module.A)


def test_an_attribute_that_cannot_be_written_is_refused(script: Script) -> None:
    module = script("class A(BaseAgent):\n    net = None\n    def act(self, state): ...\nA.net = object()\n")
    with pytest.raises(UnknownAgent, match=r"A\.net was set to a object after the definition"):
        source_of(module.A)


def test_a_class_whose_file_was_changed_since_is_refused(script: Script) -> None:
    module = script("class A(BaseAgent):\n    def act(self, state):\n        return 1\n")
    file = Path(str(module.__file__))
    file.write_text(file.read_text().replace("return 1", "return 2"))
    with pytest.raises(UnknownAgent, match="the class or its file was changed"):
        source_of(module.A)


def test_a_class_whose_base_class_was_defined_again_is_refused(script: Script) -> None:
    base = "class Base(BaseAgent):\n    def act(self, state):\n        return {}\n"
    module = script(f"{base.format(1)}\nclass A(Base):\n    pass\n\n{base.format(2)}")
    with pytest.raises(UnknownAgent, match="Base, the base class of A, was defined again"):
        source_of(module.A)


def test_methods_of_every_kind_are_accepted(script: Script) -> None:
    module = script(
        "import functools\n\ndef loud(function):\n    def wrapper(self, *a):\n        return function(self, *a) + 1\n"
        "    return wrapper\n\ndef six(self):\n    return 6\n\nclass A(BaseAgent):\n    depth = max(2, 3)\n"
        "    def __init__(self, name, color):\n        super().__init__(name, color)\n"
        "    @staticmethod\n    def one():\n        return 1\n    @classmethod\n    def two(cls):\n        return 2\n"
        "    @property\n    def three(self):\n        return 3\n    @functools.cached_property\n    def four(self):\n"
        "        return 4\n    five = lambda self: 5\n    six = six\n    @functools.lru_cache\n    def seven(self):\n"
        "        return 7\n    @loud\n    def act(self, state):\n"
        "        return sum([self.one(), self.two(), self.three, self.four, self.five(), self.six(), self.seven()])\n"
    )
    assert act(module.A) == 29
    module.A.one = module.A.two
    with pytest.raises(UnknownAgent, match=r"\(one\)"):
        source_of(module.A)


VALUES = {
    "from math import inf": ("inf", math.inf),
    "INF = float('-inf')": ("INF", -math.inf),
    "import math\nNESTED = {'a': [math.inf, (1,)], 'b': {3}, 'c': set(), 'd': frozenset([1]), 'e': 2j}": (
        "NESTED", {"a": [math.inf, (1,)], "b": {3}, "c": set(), "d": frozenset([1]), "e": 2j},
    ),
    "import functools\n@functools.lru_cache(maxsize=None)\ndef fib(n):\n"
    "    return n if n < 2 else fib(n-1) + fib(n-2)": (
        "fib(20)", 6765,
    ),
    "import enum\nclass Side(enum.Enum):\n    LEFT = 1\n    RIGHT = 2\nBEST = Side.RIGHT": ("BEST is Side.RIGHT", True),
    "from collections import namedtuple\nP = namedtuple('P', 'x y')\nHERE = P(1, 2)": ("HERE.y + P(3, 4).x", 5),
    "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int = 3\nHERE = P()": ("HERE.x", 3),
    "from dataclasses import dataclass\n@dataclass\nclass C:\n    n: int = 1\nc = C()\nc.n = 5": ("c.n", 5),
    "import re\nWORD = re.compile('b+', re.I)": ("WORD.match('BB').end()", 2),
    "import chess\nMoves = list[chess.Move]\nM = chess.Move.from_uci('e2e4')": (
        "(Moves.__args__[0], M.uci())[1]", "e2e4",
    ),
    "from collections import defaultdict\nTABLE = defaultdict(int)\nTABLE['a'] += 3": ("TABLE['a'] + TABLE['b']", 3),
    "from collections import Counter, deque\nC = Counter('aab')\nD = deque([1, 2], 2)": ("C['a'] + D[-1]", 4),
    "import numpy as np\nW = np.zeros((2, 3))\nW[1, 2] = np.inf\nS = np.float32(0.1)": (
        "(W.shape, W[1, 2], S == np.float32(0.1))", ((2, 3), math.inf, True),
    ),
    "f = lambda n: n + 1": ("f(1)", 2),
    "def double(n):\n    return 2 * n\ntwice = double": ("twice(4)", 8),
    "from functools import partial\ndef add(a, b):\n    return a + b\nadd2 = partial(add, 2)": ("add2(3)", 5),
    "from random import choice": ("choice([4])", 4),
    "from pathlib import Path\nHERE = Path('a') / 'b'": ("HERE.name", "b"),
    "import functools\ndef deco(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return -f(*a)\n"
    "    return inner\n@deco\ndef g(n):\n    return n": ("g(3)", -3),
}  # fmt: skip


@pytest.mark.parametrize("before", VALUES)
def test_what_a_class_uses_comes_along(script: Script, before: str) -> None:
    expression, expected = VALUES[before]
    module = script(f"{before}\n\nclass A(BaseAgent):\n    def act(self, state):\n        return {expression}\n")
    assert act(module.A) == expected
    assert source_of(module.A) == source_of(module.A)


@pytest.mark.parametrize(
    "before",
    ["N = object()", "import random\nN = random.Random(1)", "N = (lambda: 1)\nN = (lambda: lambda: 2)()",
     "N = [object()]", "import chess\nN = chess.Board()"],
)  # fmt: skip
def test_a_value_that_can_change_and_cannot_be_written_is_refused(script: Script, before: str) -> None:
    module = script(f"{before}\n\nclass A(BaseAgent):\n    def act(self, state):\n        return N\n")
    with pytest.raises(UnknownAgent, match=r"A uses 'N', a (object|Random|function|list|Board) that cannot be written"):
        source_of(module.A)


@pytest.mark.parametrize("block", ["if __name__:", "for number in range(3):", "try:", "with open(__file__):"])
def test_a_class_in_a_block_of_the_script(script: Script, block: str) -> None:
    agent = '    class A(BaseAgent):\n        """Two\nlines."""\n        def act(self, state):\n            return 3\n'
    text = f"{block}\n{agent}"
    module = script(text + ("except OSError:\n    pass\n" if block == "try:" else ""))
    assert act(module.A) == 3
    assert staged(module.A).__doc__ == "Two\nlines."


def test_annotations_that_are_never_evaluated_stay_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lazily_annotated.py").write_text(
        "from __future__ import annotations\nfrom agents import BaseAgent\n\nclass A(BaseAgent):\n"
        "    def act(self, state: Missing) -> Missing:\n        return 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert act(importlib.import_module("lazily_annotated").A) == 1


def test_a_local_name_is_not_confused_with_a_global_one(script: Script) -> None:
    module = script(
        "best = object()\n\nclass A(BaseAgent):\n    def act(self, state):\n        best = 4\n        return best\n"
    )
    assert act(module.A) == 4
    assert "best = <" not in source_of(module.A)

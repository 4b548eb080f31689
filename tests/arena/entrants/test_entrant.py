"""How an agent is named, and the entrant that the name stands for."""

from pathlib import Path

import pytest

from agents.names import NAMES
from arena.entrants.entrant import resolve, resolve_all
from arena.entrants.staging import stage_of
from arena.errors import UnknownAgent
from games.errors import BadParameters

AGENT = "from agents import BaseAgent\nclass Mine(BaseAgent):\n    def act(self, state): ...\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "my_agent.py").write_text(AGENT)
    package = folder / "my_package"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('this must not be imported')")
    (package / "inner.py").write_text(AGENT)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_short_names_stand_for_dotted_paths(name: str, home: Path) -> None:
    entrant = resolve(name, home=home)
    assert (entrant.name, entrant.path, entrant.is_staged) == (name, NAMES[name], False)
    assert entrant.is_bundled


def test_the_dotted_path_of_a_bundled_agent_names_the_same_agent(home: Path) -> None:
    entrant = resolve("agents.search.mcts_agent.MCTSAgent", home=home)
    assert entrant.path == NAMES["mcts"]
    assert entrant.hash == resolve("random", home=home).hash


def test_human_and_its_dotted_path_stand_for_a_person(home: Path) -> None:
    assert resolve("human", home=home).is_human
    assert resolve("agents.basic.human.Player", home=home).is_human
    assert not resolve("random", home=home).is_human


def test_options_are_split_into_keys_and_values(home: Path) -> None:
    entrant = resolve('mcts:simulations=200,c=1.5,evaluation="signed"', home=home)
    assert entrant.options == {"simulations": 200, "c": 1.5, "evaluation": "signed"}
    assert entrant.path == NAMES["mcts"]


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("./my_agent.py", "my_agent", "my_agent.py"), ("my_agent.py", "my_agent", "my_agent.py"),
        ("my_agent.py:Mine", "Mine", "my_agent.py:Mine"), ("my_agent.Mine", "my_agent.Mine", "my_agent.Mine"),
        ("my_agent.py:depth=2", "my_agent:depth=2", "my_agent.py"),
        ("my_agent.py:Mine:depth=2", "Mine:depth=2", "my_agent.py:Mine"),
        ("my_package/", "my_package", "my_package/__init__.py"),
        ("my_package.inner.Mine", "my_package.inner.Mine", "my_package.inner.Mine"),
    ],
)  # fmt: skip
def test_files_folders_and_local_modules_are_staged(here: Path, home: Path, text: str, name: str, path: str) -> None:
    entrant = resolve(text, home=home)
    assert (entrant.name, entrant.path) == (name, path)
    assert entrant.is_staged
    assert stage_of(entrant.hash, home=home) is not None
    assert not entrant.is_bundled


def test_a_folder_without_init_needs_an_agent_module_or_exactly_one_module(here: Path, home: Path) -> None:
    bag = here / "bag"
    bag.mkdir()
    (bag / "one.py").write_text(AGENT)
    assert resolve("bag/", home=home).path == "bag/one.py"
    (bag / "two.py").write_text("")
    with pytest.raises(UnknownAgent, match=r"exactly one module; it has 2 modules"):
        resolve("bag/", home=home)
    (bag / "agent.py").write_text(AGENT)
    assert resolve("bag/", home=home).path == "bag/agent.py"


def test_installed_modules_are_found_without_importing_them(
    home: Path, monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    monkeypatch.syspath_prepend(str(here))
    monkeypatch.chdir("/")
    entrant = resolve("my_package.inner.Mine", home=home)
    assert (entrant.is_staged, entrant.path) == (False, "my_package.inner.Mine")
    before = entrant.hash
    (here / "my_package" / "inner.py").write_text(AGENT + "# changed\n")
    assert resolve("my_package.inner.Mine", home=home).hash != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("randon", "did you mean 'random'"),
        ("checkers", "one of the names human, malfunction"),
        ("my_agent", r"write ./my_agent.py"),
        ("my_package", r"write ./my_package/"),
        ("./nowhere.py", "no file or folder 'nowhere.py'"),
        ("agents.search.nothing.Nobody", "unknown agent 'agents.search.nothing.Nobody'"),
        ("no_such_module.Agent", "no module 'no_such_module'"),
        ("not-a-module.x", "is not a dotted path"),
        ("random:Class", "write options as random:key=value"),
        ("random:trusted=yes", "trusted can only be set for engines"),
        ("random:memory=lots", "memory must be an amount of memory such as"),
        ("random:needs=tensorflow", "the known ones are numpy"),
        ("", "the name of an agent is empty"),
        ("human:skill=1", "human takes no options"),
        ("a\x1b[31m.py", "cannot name an agent"),
    ],
)
def test_an_unknown_agent_is_an_error_with_a_hint(here: Path, home: Path, text: str, message: str) -> None:
    with pytest.raises(UnknownAgent, match=message) as caught:
        resolve(text, home=home)
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_grants_are_not_options_of_the_agent(home: Path) -> None:
    entrant = resolve("mcts:simulations=9,threads=2,memory=512M,needs=torch+scipy", home=home)
    assert entrant.options == {"simulations": 9}
    assert (entrant.grants.threads, entrant.grants.memory) == (2, 512 << 20)
    assert entrant.grants.needs == ("torch", "scipy")


@pytest.mark.parametrize("text", ["mcts:seconds=", "mcts:seconds=1,seconds=2", "mcts:a=1 b=2", 'mcts:a="x'])
def test_malformed_options_are_an_error(home: Path, text: str) -> None:
    with pytest.raises(BadParameters):
        resolve(text, home=home)


def test_files_with_the_same_name_get_the_names_of_their_folders(here: Path, home: Path) -> None:
    for folder in ("alice", "bob"):
        (here / folder).mkdir()
        (here / folder / "agent.py").write_text(AGENT)
    (here / "random.py").write_text(AGENT)
    entrants = resolve_all(["alice/agent.py", "bob/agent.py", "random.py", "random"], home=home)
    assert [entrant.name for entrant in entrants] == ["agent", "bob/agent", "./random", "random"]


def test_an_agent_that_enters_twice_gets_a_number(home: Path) -> None:
    names = [entrant.name for entrant in resolve_all(["random", "greedy", "random", "random"], home=home)]
    assert names == ["random", "greedy", "random#2", "random#3"]


@pytest.mark.parametrize("text", ["random:threads=0", "random:memory=0", "random:memory=1M"])
def test_too_few_threads_and_too_little_memory_are_an_error(home: Path, text: str) -> None:
    with pytest.raises(UnknownAgent, match=r"threads must be at least 1|memory must be at least 64M"):
        resolve(text, home=home)

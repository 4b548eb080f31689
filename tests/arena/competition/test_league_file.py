"""League files."""

from pathlib import Path

import pytest

from arena.competition.league_file import EntrantLine, LeagueFile, load, names
from arena.competition.plan import make_plan
from arena.competition.settings import Settings, options
from arena.entrants.entrant import resolve, resolve_all
from arena.errors import BadSettings
from results.time_control import TimeControl

AGENT = "from agents import BaseAgent\nclass Mine(BaseAgent):\n    def act(self, state): ...\n"

EVERYTHING = """
name = "thursday"
game = "microchess:turns=60"
format = "swiss"
rounds = 4
time = 2.5
move-time = 1.5
resign = [900, 3]
draw = [8, 10, 40]
opening-order = "random"
reports = true
turns = 60
opening-turns = 2
openings = "starts.txt"
position = "8/8 w"
seed = "s"
clock = "wall"
memory = "2G"
scratch = "16M"
needs = ["torch", "numpy", "torch"]
suspend-after = "12.5%"
games = 500
until = "settled"
workers = 2
trust-agents = true
entrants = ["random"]
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes a league file; paths in it are seen from its folder, not from where one is."""
    folder = tmp_path / "cup"
    folder.mkdir()
    (folder / "starts.txt").write_text("# none\n")
    (folder / "mine.py").write_text(AGENT)
    (folder / "bag").mkdir()
    (folder / "bag" / "__init__.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)

    def written(text: str, name: str = "cup/league.toml") -> str:
        Path(name).write_text(text, encoding="utf-8")
        return name

    return written


def refusal(path: str) -> str:
    with pytest.raises(BadSettings) as caught:
        load(path)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_file_that_says_nothing_leaves_everything_to_the_command_line(write) -> None:
    assert load(write("")) == LeagueFile({})


def test_every_option_can_stand_in_a_file(write) -> None:
    file = load(write(EVERYTHING))
    assert file.settings == {
        "name": "thursday", "game": "microchess:turns=60", "format": "swiss", "rounds": 4, "time": TimeControl(2.5),
        "move_time": 1.5, "resign": (900, 3), "draw": (8, 10, 40), "opening_order": "random", "reports": True,
        "turns": 60,
        "opening_turns": 2, "openings": Path("cup/starts.txt"), "position": "8/8 w", "seed": "s", "clock": "wall",
        "memory": 2 << 30, "scratch": 16 << 20, "needs": ("torch", "numpy"), "suspend_after": 0.125, "workers": 2,
        "trust_agents": True, "games": 500, "until": "settled",
    }  # fmt: skip
    assert file.entrants == (EntrantLine("random"),)
    assert file.settings.keys() == options().keys()


def test_false_and_none_are_said_too(write) -> None:
    assert load(write("trust-agents = false\nturns = 0\nneeds = []\nscratch = 0")).settings == {
        "turns": 0, "scratch": 0, "needs": (), "trust_agents": False
    }  # fmt: skip
    assert load(write('suspend-after = "never"')).settings == {"suspend_after": None}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('"random"', "random"),
        ('"abp_negamax:depth=3"', "abp_negamax:depth=3"),
        ('"./mine.py"', "cup/./mine.py"),
        ('"mine.py:Mine:depth=3"', "cup/mine.py:Mine:depth=3"),
        ('"bag/"', "cup/bag/"),
        ('"/tmp/mine.py"', "/tmp/mine.py"),
        ('{ agent = "mcts" }', "mcts"),
        ('{ agent = "mcts", options = { simulations = 200, c = 1.5 } }', "mcts:simulations=200,c=1.5"),
        ('{ agent = "mcts:simulations=9", options = { c = 1.5 } }', "mcts:simulations=9,c=1.5"),
        ('{ agent = "mine.py", options = { book = "a b,c:d", level = "3" } }', 'cup/mine.py:book="a b,c:d",level="3"'),
        (
            '{ agent = "mcts", threads = 2, memory = "2G", needs = ["torch", "numpy"] }',
            "mcts:threads=2,memory=2G,needs=torch+numpy",
        ),
    ],
)
def test_an_entrant_is_written_as_on_the_command_line(write, line: str, text: str) -> None:
    assert load(write(f"entrants = [{line}]")).entrants == (EntrantLine(text),)


def test_an_entrant_may_have_a_name_of_its_own(write) -> None:
    path = write('entrants = [{ agent = "mcts", name = "my mcts", options = { simulations = 200 } }, "mcts"]')
    assert load(path).entrants == (EntrantLine("mcts:simulations=200", "my mcts"), EntrantLine("mcts"))


def test_what_is_written_for_an_entrant_reaches_it(write, tmp_path: Path) -> None:
    line = '{ agent = "./mine.py", threads = 2, memory = "2G", needs = ["numpy"], options = { book = "a b" } }'
    entrant = resolve(load(write(f"entrants = [{line}]")).entrants[0].text, home=tmp_path / "home")
    assert (entrant.path, entrant.options) == ("mine.py", {"book": "a b"})
    assert (entrant.grants.threads, entrant.grants.memory, entrant.grants.needs) == (2, 2 << 30, ("numpy",))


def test_a_file_beside_you_finds_its_agents_beside_you(write) -> None:
    assert load(write('entrants = ["./cup/mine.py"]', "here.toml")).entrants == (EntrantLine("./cup/mine.py"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("opening_turn = 2", "unknown key 'opening_turn'; did you mean 'opening-turns'?"),
        ("Rounds = 2", "unknown key 'Rounds'; did you mean 'rounds'?"),
        ("entrant = []", "unknown key 'entrant'; did you mean 'entrants'?"),
        ("xyz = 1", "unknown key 'xyz'; known keys are name, game, format, rounds, time,"),
        ("rounds = 0", "rounds must be a whole number from 1 to 100000, not 0"),
        ("rounds = 100001", "rounds must be a whole number from 1 to 100000, not 100001"),
        ("rounds = true", "rounds must be a whole number from 1 to 100000, not True"),
        ("rounds = 1.0", "rounds must be a whole number from 1 to 100000, not 1.0"),
        ('rounds = "2"', "rounds must be a whole number from 1 to 100000, not '2'"),
        ("turns = -1", "turns must be a whole number from 0 on, not -1"),
        ("opening-turns = -1", "opening-turns must be a whole number from 0 on, not -1"),
        ("workers = 0", "workers must be a whole number from 1 on, not 0"),
        (
            "time = 0",
            "time must be a number of seconds above 0, 1000000 at most, or as in 10+0.1 or 40/60, not 0",
        ),
        ("time = 1000001", "time must be a number of seconds above 0, 1000000 at most"),
        ("time = nan", "time must be a number of seconds above 0"),
        ("time = inf", "time must be a number of seconds above 0"),
        ("time = true", "time must be a number of seconds above 0"),
        ("name = 3", "name must be a text with visible characters, not 3"),
        ('name = " "', "name must be a text with visible characters, not ' '"),
        ('name = "a\\u0007"', "name must be a text with visible characters, not 'a\\x07'"),
        ("seed = true", "seed must be a text with visible characters, not True"),
        ("seed = 1.5", "seed must be a text with visible characters, not 1.5"),
        ('format = "cup"', "format must be one of round-robin, gauntlet, swiss, knockout, adaptive, not 'cup'"),
        ("clock = []", "clock must be one of fair, wall, cpu, not []"),
        ('memory = "1M"', "memory must be at least 64M, not '1M'"),
        ("memory = 1.5", 'memory must be an amount of memory such as "512M" or "1G", not 1.5'),
        ('scratch = "big"', "scratch must be an amount of memory"),
        ('needs = "torch"', "needs must be a list of some of numpy, onnxruntime, scipy, torch, not 'torch'"),
        ('needs = [["torch"]]', "needs must be a list of some of"),
        ("suspend-after = 10", 'suspend-after must be a share such as "10%", or "never", not 10'),
        ('suspend-after = "101%"', "suspend-after must be a share"),
        ("trust-agents = 1", "trust-agents must be true or false, not 1"),
        ('openings = "none.txt"', "openings must be an existing file with openings, not 'cup/none.txt'"),
        ('entrants = "random"', "entrants must be a list, not 'random'"),
        ("entrants = [3]", "entrant 1: must be a text or a table with agent = …, not 3"),
        ('entrants = ["random", ""]', "entrant 2: must be a text with visible characters"),
        ('entrants = ["random:a=1,a=2"]', "entrant 1: a is given twice"),
        ('entrants = [{ name = "x" }]', "entrant 1: agent is missing"),
        ('entrants = [{ agent = "random", thread = 1 }]', "entrant 1: unknown key 'thread'; did you mean 'threads'?"),
        ('entrants = [{ agent = "random", threads = 0 }]', "entrant 1: threads must be a whole number from 1 on"),
        ('entrants = [{ agent = "random", options = 3 }]', "entrant 1: options must be a table, not 3"),
        ('entrants = [{ agent = "mcts", options = { c = true } }]', "option c must be a number or a text, not True"),
        ('entrants = [{ agent = "mcts:c=1", options = { c = 2 } }]', "entrant 1: c is given twice"),
        ('entrants = [{ agent = "mcts", options = { threads = 2 } }]', "write threads beside options, not in them"),
        ('entrants = [{ agent = "mcts", options = { c = \'say "hi"\' } }]', "cannot"),
        ('entrants = [{ agent = "mcts", options = { "a b" = 1 } }]', "cannot"),
        ('entrants = [{ agent = "mcts", options = { c = "a\\nb" } }]', "cannot"),
        (
            'entrants = [{ agent = "mcts", name = "a" }, { agent = "random", name = "a" }]',
            "two entrants have the name 'a'",
        ),
    ],
)
def test_a_mistake_is_named_in_one_line(write, text: str, said: str) -> None:
    refused = refusal(write(text))
    assert refused.startswith("cup/league.toml: ")
    assert said in refused


def test_broken_toml_is_refused_with_the_line(write) -> None:
    assert "line 2" in refusal(write("rounds = 1\ntime =\nturns = 3"))


def test_a_file_that_is_no_text_is_refused(write) -> None:
    path = write("")
    Path(path).write_bytes(b'name = "\xff"')
    assert refusal(path).startswith("cannot read 'cup/league.toml': ")


def test_a_seed_may_be_written_as_a_number(write) -> None:
    assert load(write("seed = 5")).settings == load(write('seed = "5"')).settings == {"seed": "5"}


@pytest.mark.parametrize("path", ["microchess-lader", "Microchess_Ladder"])
def test_a_misspelt_league_gets_the_nearest_one(write, path: str) -> None:
    assert refusal(path) == f"no league file {path!r}; did you mean 'microchess-ladder'?"


@pytest.mark.parametrize("path", ["cup", "none.toml", "a/b.toml"])
def test_a_file_that_is_missing_is_told_with_those_that_ship(write, path: str) -> None:
    assert refusal(path) == f"no league file {path!r}; these ship with arena: {', '.join(names())}"


def test_the_leagues_that_ship() -> None:
    assert names() == [
        "chess-ladder", "microchess-knockout", "microchess-ladder", "microchess-swiss", "othello-ladder"
    ]  # fmt: skip


@pytest.mark.parametrize("name", names())
def test_a_league_that_ships_can_be_played(name: str, tmp_path: Path) -> None:
    file = load(name)
    entrants = resolve_all([line.text for line in file.entrants], home=tmp_path)
    assert all(entrant.is_bundled for entrant in entrants)
    plan = make_plan("league", entrants, Settings(**file.settings))
    assert plan.game.name == name.partition("-")[0]
    assert plan.rounds >= 1


@pytest.mark.parametrize("name", names())
def test_a_league_that_ships_says_what_it_is_for(name: str) -> None:
    text = Path(load.__code__.co_filename).with_name("leagues").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    assert text.startswith("# ")

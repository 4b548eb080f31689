"""Engines as entrants: how they are named, found, hashed, staged, and whether they fit a game."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from arena.entrants.engines import read_command
from arena.entrants.entrant import Entrant, fitted, resolve
from arena.entrants.grants import Grants
from arena.entrants.recall import recall
from arena.errors import BadSettings, UnknownAgent
from games.base import load
from games.errors import ArenaError

MICROCHESS = load("microchess")


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in the working directory, for some interpreter."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my bot.js"
    path.write_text("first version\n")
    return path


def sha256(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def entrant_of(text: str, tmp_path: Path) -> Entrant:
    return resolve(text, home=tmp_path / "home")


def test_stockfish_is_trusted_and_the_game_decides_its_program(tmp_path: Path) -> None:
    entrant = entrant_of("stockfish:level=5", tmp_path)
    assert (entrant.name, entrant.protocol, entrant.command) == ("stockfish:level=5", "stockfish", ())
    assert entrant.grants.trusted
    fairy = fitted(entrant, MICROCHESS)
    standard = fitted(entrant_of("stockfish:backend=standard", tmp_path), MICROCHESS)
    chess = fitted(entrant, load("chess"))
    assert [Path(one.command[0]).name for one in (fairy, standard, chess)] == [
        "fairy-stockfish", "stockfish", "stockfish",
    ]  # fmt: skip
    assert fairy.hash == sha256(fairy.command[0]) != chess.hash
    assert fairy.options["backend"] == "fairy"
    assert fairy.options["level"] == 5
    assert fairy.options["nodes"] == 10_000  # the default limit is recorded too
    assert fairy.grants.read


def test_the_name_of_stockfish_on_the_earlier_platform_works(tmp_path: Path) -> None:
    entrant = entrant_of("agents.stockfish.agent.Stockfish:level=1", tmp_path)
    assert (entrant.protocol, entrant.options) == ("stockfish", {"level": 1})
    assert entrant.grants.trusted


def test_the_program_of_a_command_is_found_and_hashed_and_names_the_entrant(tmp_path: Path) -> None:
    entrant = entrant_of('uci:command="gnuchess --uci",nodes=500', tmp_path)
    assert entrant.command == ("/usr/games/gnuchess", "--uci")
    assert entrant.name == "gnuchess:nodes=500"
    assert entrant.hash == sha256("/usr/games/gnuchess")
    assert not entrant.grants.trusted


def test_files_of_a_command_are_staged_and_change_its_hash(tmp_path: Path, bot: Path) -> None:
    command = read_command(f"/usr/bin/env '{bot.name}' --level 3", home=tmp_path / "home")
    staged = Path(command.arguments[1])
    assert staged.read_text() == bot.read_text()
    assert staged != bot
    assert command.arguments[2:] == ("--level", "3")
    assert command.read == (str(staged.parent),)
    assert command.title == "my bot"
    bot.write_text("second version\n")
    assert read_command(f"/usr/bin/env '{bot.name}'", home=tmp_path / "home").hash != command.hash


def test_a_folder_of_a_command_is_staged_as_a_whole_and_names_the_entrant(tmp_path: Path) -> None:
    folder = tmp_path / "deep_bot"
    folder.mkdir()
    (folder / "__main__.py").write_text("import helper\n")
    (folder / "helper.py").write_text("")
    entrant = entrant_of(f'json:command="/usr/bin/python3 {folder}"', tmp_path)
    assert entrant.name == "deep_bot"
    staged = Path(entrant.command[1])
    assert sorted(path.name for path in staged.iterdir()) == ["__main__.py", "helper.py"]
    assert str(staged.parent) in entrant.grants.read


def test_a_folder_that_python_cannot_run_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "main.py").write_text("")
    with pytest.raises(UnknownAgent, match=r"has no file __main__\.py, which Python runs; add it, or name a file$"):
        entrant_of(f'json:command="/usr/bin/python3 {tmp_path}/empty"', tmp_path)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("uci:command=stockfish,nodes=100", "stockfish:nodes=100"),
        ("uci:command=/usr/games/stockfish,depth=3", "stockfish:depth=3"),
        ('uci:command="gnuchess --uci"', "gnuchess"),
    ],
)
def test_a_program_of_the_system_has_its_own_name(tmp_path: Path, text: str, name: str) -> None:
    assert entrant_of(text, tmp_path).name == name


def test_a_program_of_a_participant_does_not_look_like_one_of_ours(tmp_path: Path) -> None:
    own = tmp_path / "stockfish"
    shutil.copy("/usr/games/toga2", own)
    assert entrant_of(f"uci:command={own},nodes=100", tmp_path).name == "./stockfish:nodes=100"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("movetime=10", "uci has no limit 'movetime', only nodes, depth, seconds, clock; write seconds=0.01"),
        ("wtime=1000", "uci has no limit 'wtime', only nodes, depth, seconds, clock"),
    ],
)
def test_a_word_of_go_is_not_taken_for_an_option_of_the_engine(tmp_path: Path, options: str, message: str) -> None:
    with pytest.raises(UnknownAgent) as caught:
        fitted(entrant_of(f"uci:command=toga2,{options}", tmp_path), load("chess"))
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uci", "the command of the engine is missing; write it as in uci:command=./mine"),
        ("gtp:nodes=3", "the command of the engine is missing"),
        ("uci:command=no_such_engine", "program 'no_such_engine' not found"),
        ('uci:command="unclosed \'quote"', "cannot read the command"),
        ('uci:command=" "', "the command of the engine is empty"),
        ("uci:command=/etc/passwd", "'/etc/passwd' is not executable"),
        ("random:trusted=yes", "trusted can only be set for engines"),
        ("random:read=/tmp", "read can only be set for engines"),
        ("uci:command=toga2,trusted=maybe", "trusted must be yes or no, not 'maybe'"),
        ("uci:command=toga2,read=/no/such/place", "no file or folder '/no/such/place' to read"),
        ("stockfsh", "did you mean 'stockfish'?"),
        ("stockfish:", "write options as stockfish:key=value"),
        ("json:command", "write options as json:key=value"),
        ("uci:command=/tmp", "is not a program but a folder"),
        ("uci:command=toga2,threads=0", "threads must be at least 1"),
        ("/usr/games/toga2", "is not a Python file; to run a program, write its protocol"),
    ],
)
def test_an_engine_that_cannot_be_started_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnknownAgent) as caught:
        entrant_of(text, tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_a_program_is_an_error_and_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o777)
    (tmp_path / "text").write_text("not a program")
    (tmp_path / "text").chmod(0o755)
    with pytest.raises(UnknownAgent, match="is not a program but a folder or a special file"):
        entrant_of(f"json:command={tmp_path / 'pipe'}", tmp_path)
    with pytest.raises(UnknownAgent, match="not a program that this machine can run"):
        entrant_of(f"json:command={tmp_path / 'text'}", tmp_path)


def test_an_argument_too_long_for_a_file_name_stays_unchanged(tmp_path: Path) -> None:
    entrant = entrant_of(f'json:command="/usr/bin/env {"a" * 5000}"', tmp_path)
    assert entrant.command[1] == "a" * 5000


def test_an_engine_has_the_name_of_its_program_or_of_its_script(tmp_path: Path, bot: Path) -> None:
    own = tmp_path / "engine"
    shutil.copy("/usr/games/toga2", own)
    (tmp_path / "nets").mkdir()
    assert entrant_of(f'uci:command="{own} {tmp_path / "nets"}"', tmp_path).name == "engine"
    assert entrant_of(f"json:command=\"/usr/bin/env '{bot}'\"", tmp_path).name == "my bot"
    assert entrant_of('uci:command="toga2 x"', tmp_path).hash == entrant_of(f"uci:command={own}", tmp_path).hash


def test_a_script_without_its_interpreter_is_an_error(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    with pytest.raises(UnknownAgent, match="write its interpreter in front of it"):
        entrant_of(f"json:command={script}", tmp_path)


@pytest.mark.parametrize(
    ("text", "game", "message"),
    [
        ("stockfish", "othello", "plays chess and microchess, not othello"),
        ("uci:command=toga2", "go", "plays chess and microchess, not go"),
        ("gtp:command=gnugo", "microchess", "not microchess"),
        ("nypc:command=toga2", "gomoku", "not gomoku"),
        ("gomocup:command=toga2", "mushroom", "not mushroom"),
        ("stockfish:levle=5", "microchess", "no option 'levle'"),
        ("stockfish:level=21", "microchess", "from 0 to 20"),
        ("stockfish:path=/no/such", "microchess", "no such file"),
    ],
)
def test_an_engine_that_cannot_play_the_game_is_one_line(tmp_path: Path, text: str, game: str, message: str) -> None:
    with pytest.raises(ArenaError) as caught:
        fitted(entrant_of(text, tmp_path), load(game))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_protocol_without_positions_only_starts_at_the_start_position(tmp_path: Path) -> None:
    mushroom = load("mushroom")
    bot = entrant_of("nypc:command=toga2", tmp_path)
    with pytest.raises(BadSettings, match="cannot start from a given position"):
        fitted(bot, mushroom, has_positions=True)
    with pytest.raises(BadSettings, match="cannot start after opening turns"):
        fitted(bot, mushroom, opening_turns=2)
    assert fitted(bot, mushroom) == bot
    assert fitted(entrant_of("random", tmp_path), mushroom, opening_turns=2, has_positions=True).name == "random"


def test_the_grants_of_an_engine_are_stored_and_recalled(tmp_path: Path) -> None:
    text = f"uci:command=toga2,trusted=yes,threads=3,read={tmp_path}"
    entrant = entrant_of(text, tmp_path)
    assert entrant.grants == Grants(threads=3, read=(str(tmp_path),), trusted=True)
    assert Grants.of(entrant.record().grants) == entrant.grants
    again = recall(entrant.record(), load("chess"), home=tmp_path / "home", trust_file=True)
    assert again == entrant


def test_files_of_an_engine_are_searched_beside_the_league_file(tmp_path: Path, bot: Path) -> None:
    from arena.competition.league_file import load as load_league_file

    folder = tmp_path / "cup"
    folder.mkdir()
    (folder / "bot.js").write_text("x")
    (folder / "cup.toml").write_text(
        "entrants = ['json:command=\"/usr/bin/env bot.js\"', "
        '{agent = "uci", trusted = true, options = {command = "gnuchess --uci"}}]'
    )
    lines = [line.text for line in load_league_file("cup/cup.toml").entrants]
    assert lines == [
        f'json:command="/usr/bin/env cup{os.sep}bot.js"',
        'uci:command="gnuchess --uci",trusted=yes',
    ]
    assert [entrant_of(line, tmp_path).name for line in lines] == ["bot", "gnuchess"]
    assert entrant_of(lines[1], tmp_path).grants.trusted

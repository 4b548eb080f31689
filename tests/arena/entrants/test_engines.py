"""Engines as entrants: how they are named, found, hashed, staged, and whether they fit a game."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from arena.entrants.command import read_command
from arena.entrants.engines import fitted, recall
from arena.entrants.entrant import Entrant, Grants, resolve
from arena.errors import BadSettings, UnknownAgent
from games.base import load
from games.errors import ArenaError

MICROCHESS = load("microchess")


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script beside us that an interpreter could run."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my bot.js"
    path.write_text("nothing of interest\n")
    return path


def sha256(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def named(text: str, tmp_path: Path) -> Entrant:
    return resolve(text, home=tmp_path / "home")


def test_stockfish_is_trusted_and_knows_its_program_only_with_the_game(tmp_path: Path) -> None:
    entrant = named("stockfish:level=5", tmp_path)
    assert (entrant.name, entrant.protocol, entrant.command) == ("stockfish:level=5", "stockfish", ())
    assert entrant.grants.trusted
    fairy, standard = fitted(entrant, MICROCHESS), fitted(named("stockfish:backend=standard", tmp_path), MICROCHESS)
    chess = fitted(entrant, load("chess"))
    assert [Path(one.command[0]).name for one in (fairy, standard, chess)] == [
        "fairy-stockfish", "stockfish", "stockfish",
    ]  # fmt: skip
    assert fairy.hash == sha256(fairy.command[0]) != chess.hash
    assert fairy.options["backend"] == "fairy"
    assert fairy.options["level"] == 5
    assert fairy.options["nodes"] == 10_000  # the limit that nobody gave stands in the record too
    assert fairy.grants.read


def test_the_earlier_name_of_stockfish_is_understood(tmp_path: Path) -> None:
    entrant = named("agents.stockfish.agent.Stockfish:level=1", tmp_path)
    assert (entrant.protocol, entrant.options) == ("stockfish", {"level": 1})
    assert entrant.grants.trusted


def test_a_command_is_found_hashed_and_gives_the_entrant_its_name(tmp_path: Path) -> None:
    entrant = named('uci:command="gnuchess --uci",nodes=500', tmp_path)
    assert entrant.command == ("/usr/games/gnuchess", "--uci")
    assert entrant.name == "gnuchess:nodes=500"
    assert entrant.hash == sha256("/usr/games/gnuchess")
    assert not entrant.grants.trusted


def test_files_of_a_command_are_staged_and_belong_to_its_hash(tmp_path: Path, bot: Path) -> None:
    command = read_command(f"/usr/bin/env '{bot.name}' --level 3", home=tmp_path / "home")
    staged = Path(command.words[1])
    assert staged.read_text() == bot.read_text()
    assert staged != bot
    assert command.words[2:] == ("--level", "3")
    assert command.read == (str(staged.parent),)
    assert command.title == "my bot"
    bot.write_text("something else\n")
    assert read_command(f"/usr/bin/env '{bot.name}'", home=tmp_path / "home").hash != command.hash


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("uci", "say what to run, as in uci:command=./my_engine"),
        ("gtp:nodes=3", "say what to run"),
        ("uci:command=no_such_engine", "no program 'no_such_engine'"),
        ('uci:command="unclosed \'quote"', "cannot read the command"),
        ('uci:command=" "', "the command is empty"),
        ("uci:command=/etc/passwd", "'/etc/passwd' cannot be executed"),
        ("random:trusted=yes", "trusted can be set for engines only"),
        ("random:read=/tmp", "read can be set for engines only"),
        ("uci:command=toga2,trusted=maybe", "trusted is yes or no, not 'maybe'"),
        ("uci:command=toga2,read=/no/such/place", "no file or folder '/no/such/place' to read"),
        ("stockfsh", "did you mean 'stockfish'?"),
        ("stockfish:", "write options as stockfish:key=value"),
        ("json:command", "write options as json:key=value"),
        ("uci:command=/tmp", "is no file, so no program"),
        ("uci:command=toga2,threads=0", "at least one thread"),
        ("/usr/games/toga2", "is no Python file; a program is named by its protocol"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UnknownAgent) as caught:
        named(text, tmp_path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_program_is_refused_in_words_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o777)
    (tmp_path / "text").write_text("no program")
    (tmp_path / "text").chmod(0o755)
    with pytest.raises(UnknownAgent, match="is no file, so no program"):
        named(f"json:command={tmp_path / 'pipe'}", tmp_path)
    with pytest.raises(UnknownAgent, match="no program that this machine can run"):
        named(f"json:command={tmp_path / 'text'}", tmp_path)


def test_a_word_that_can_be_no_file_is_just_a_word(tmp_path: Path) -> None:
    entrant = named(f'json:command="/usr/bin/env {"a" * 5000}"', tmp_path)
    assert entrant.command[1] == "a" * 5000


def test_an_engine_is_called_after_its_program_and_a_script_after_itself(tmp_path: Path, bot: Path) -> None:
    own = tmp_path / "engine"
    shutil.copy("/usr/games/toga2", own)
    (tmp_path / "nets").mkdir()
    assert named(f'uci:command="{own} {tmp_path / "nets"}"', tmp_path).name == "engine"
    assert named(f"json:command=\"/usr/bin/env '{bot}'\"", tmp_path).name == "my bot"
    assert named('uci:command="toga2 x"', tmp_path).hash == named(f"uci:command={own}", tmp_path).hash


def test_a_script_is_refused_since_it_would_start_a_second_program(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    with pytest.raises(UnknownAgent, match="name its interpreter first"):
        named(f"json:command={script}", tmp_path)


@pytest.mark.parametrize(
    ("text", "game", "words"),
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
def test_an_engine_that_does_not_fit_is_refused_in_a_line(tmp_path: Path, text: str, game: str, words: str) -> None:
    with pytest.raises(ArenaError) as caught:
        fitted(named(text, tmp_path), load(game))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_protocol_without_positions_only_begins_at_the_start(tmp_path: Path) -> None:
    mushroom = load("mushroom")
    bot = named("nypc:command=toga2", tmp_path)
    with pytest.raises(BadSettings, match="knows no positions"):
        fitted(bot, mushroom, has_positions=True)
    with pytest.raises(BadSettings, match="cannot be told of opening turns"):
        fitted(bot, mushroom, opening_turns=2)
    assert fitted(bot, mushroom) == bot
    assert fitted(named("random", tmp_path), mushroom, opening_turns=2, has_positions=True).name == "random"


def test_what_an_engine_is_granted_is_stored_and_recalled(tmp_path: Path) -> None:
    text = f"uci:command=toga2,trusted=yes,threads=3,read={tmp_path}"
    entrant = named(text, tmp_path)
    assert entrant.grants == Grants(threads=3, read=(str(tmp_path),), trusted=True)
    assert Grants.of(entrant.record().grants) == entrant.grants
    again = recall(entrant.record(), load("chess"), home=tmp_path / "home")
    assert again == entrant


def test_an_engine_of_a_league_file_is_found_beside_it(tmp_path: Path, bot: Path) -> None:
    from arena.competition.config import load as load_config

    folder = tmp_path / "cup"
    folder.mkdir()
    (folder / "bot.js").write_text("x")
    (folder / "cup.toml").write_text(
        "entrants = ['json:command=\"/usr/bin/env bot.js\"', "
        '{agent = "uci", trusted = true, options = {command = "gnuchess --uci"}}]'
    )
    lines = [line.text for line in load_config("cup/cup.toml").entrants]
    assert lines == [
        f'json:command="/usr/bin/env cup{os.sep}bot.js"',
        'uci:command="gnuchess --uci",trusted=yes',
    ]
    assert [named(line, tmp_path).name for line in lines] == ["bot", "gnuchess"]
    assert named(lines[1], tmp_path).grants.trusted

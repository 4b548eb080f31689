"""The help of the command line, and the modules that are imported to print it."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import click
import pytest

from agents.names import ENGINES, NAMES
from arena.cli import COMMANDS, cli
from games.base import load, split_parameters

HEAVY = {"pandas", "numpy", "scipy", "torch", "sqlitedict", "rich", "tabulate", "chess.svg"}


def loaded_by(code: str) -> set[str]:
    command = [sys.executable, "-P", "-c", f"import sys, json\n{code}\njson.dump(sorted(sys.modules), sys.stderr)"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(ran.stderr))


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_listing_the_commands_imports_none_of_them_and_nothing_heavy(option: str) -> None:
    loaded = loaded_by(f"from arena.cli import run\nrun(['{option}'])")
    assert not HEAVY & loaded
    assert not {"agents", "games", "results", "sqlite3"} & loaded
    assert not {f"arena.cli.{name}" for name in COMMANDS} & loaded
    assert option == "--version" or "importlib.metadata" not in loaded


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_shows_the_first_sentence_of_their_help(name: str) -> None:
    assert COMMANDS[name] == command(name).get_short_help_str(limit=1000).removesuffix(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_imports_nothing_heavy(name: str) -> None:
    assert not HEAVY & loaded_by(f"from arena.cli import run\nrun(['{name}', '--help'])")


def test_a_players_process_imports_neither_the_command_line_nor_the_store() -> None:
    modules = loaded_by("import agents.child")
    assert not {"click", "pandas", "rich", "sqlite3", "arena", "results"} & modules


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_and_every_option_has_help(name: str) -> None:
    found = command(name)
    assert found.help is not None
    assert "Examples:" in found.help
    for parameter in found.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"--{parameter.name} of {name} has no help"


def examples(text: str | None) -> Iterator[list[str]]:
    """The arguments of every example in a help text, without pipes and redirections."""
    for line in (text or "").splitlines():
        if line.strip().startswith("arena "):
            words = list(shlex.shlex(line, posix=True, punctuation_chars="|>"))
            ends = [index for index, word in enumerate(words) if word in ("|", ">")]
            yield shlex.split(line)[1:] if not ends else shlex.split(line.partition(words[ends[0]])[0])[1:]


EXAMPLES = [words for text in [cli.help, *(command(name).help for name in COMMANDS)] for words in examples(text)]


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_every_example_is_valid(words: list[str]) -> None:
    found = command(words[0])
    with found.make_context(words[0], words[1:], parent=click.Context(cli)) as context:  # --home holds until it ends
        params = context.params
    agents = [params.get(name) for name in ("a", "b", "first", "second", "agent")]
    if words[0] not in ("withdraw", "replace"):
        for text in (text for given in agents for text in (given if isinstance(given, tuple) else [given]) if text):
            name, _ = split_parameters(text)
            assert name in (*NAMES, *ENGINES) or name.startswith("./") or name == "my_bot", f"no agent {name}"
    if game := params.get("game"):
        load(game)


def test_there_are_examples_of_every_command() -> None:
    assert {words[0] for words in EXAMPLES} == set(COMMANDS)


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_on_a_screen_of_100_columns(name: str, width: int) -> None:
    found, how = command(name) if name else cli, {"terminal_width": width} if width < 100 else {}
    context = click.Context(found, info_name=f"arena {name}", max_content_width=100, **how)
    lines = found.get_help(context).splitlines()
    assert max(map(len, lines)) <= 100, max(lines, key=len)
    assert all(line == line.rstrip() for line in lines)


def test_help_lists_every_command(arena: Any) -> None:
    ran = arena("--help")
    assert ran.code == 0
    for name in COMMANDS:
        assert f"  {name} " in ran.out
    assert arena().code == 2


def test_the_version_contains_the_name_of_the_distribution(arena: Any) -> None:
    assert arena("--version").out.endswith("(arena-league)\n")


@pytest.mark.parametrize(
    ("words", "offered"), [("arena league rand", "random"), ("arena play random --game oth", "othello")]
)
def test_shells_complete_agents_and_games(words: str, offered: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "arena"], capture_output=True, text=True, check=False,
        env={"_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)},
    )  # fmt: skip
    assert f"plain,{offered}" in ran.stdout.split()


def test_a_package_of_another_project_that_hides_ours_is_an_error(tmp_path: Any) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("raise RuntimeError('imported')")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from arena.__main__ import main; main()"
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"arena: the package 'agents' in {tmp_path / 'agents'} belongs to another project; ")
    assert ran.stderr.count("\n") == 1

"""Settings: each is listed once, and everything else derives from the list."""

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from arena.cli import options as cli_options
from arena.competition.league_file import KEYS
from arena.competition.settings import Settings, options
from arena.errors import BadSettings
from arena.referee.openings import Opening
from results.standings.sprt import Sprt
from results.time_control import TimeControl

ROOT = Path(__file__).parents[3]
EVERYTHING = Settings(
    name="thursday", game="microchess:turns=60", format="swiss", rounds=4, time=TimeControl(2.5), opening_turns=2,
    openings=(Opening("k3/4/4/1R2/3K w - - 0 1"), Opening("", ("d2d3",))),
    position="k3/4/4/1R2/3K w - - 0 1", seed="s", clock="wall", memory=2 << 30,
    scratch=16 << 20, needs=("torch", "numpy"), suspend_after=0.125, workers=2, trust_agents=True, sprt=Sprt(0, 5),
    game_version=3,
)  # fmt: skip


def test_stored_settings_are_read_back_as_they_were() -> None:
    again = Settings.restored(EVERYTHING.stored())
    for each in fields(Settings):
        option = each.metadata["option"]
        expected = getattr(EVERYTHING if option.stored else Settings(), each.name)
        assert getattr(again, each.name) == expected, each.name


def test_settings_that_an_older_file_does_not_know_have_their_defaults() -> None:
    assert Settings.restored({"game": "othello", "time": 3.0}) == Settings(game="othello", time=TimeControl(3.0))


def test_name_seed_and_workers_may_differ_when_a_league_goes_on() -> None:
    other = Settings(name="other", seed="other", workers=1)
    assert list(other.differences(Settings())) == []
    assert not {"name", "seed", "workers", "turns"} & other.stored().keys()


def test_every_setting_that_differs_is_named_with_both_values() -> None:
    given = Settings(time=TimeControl(2.0), opening_turns=4, needs=("torch",))
    assert list(given.differences(Settings(time=TimeControl(1.0)))) == [
        "time was 1, is 2", "opening-turns was 0, is 4", "needs was none, is torch"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"opening_turn": 2}, "unknown key 'opening_turn'; did you mean 'opening_turns'?"),
        (
            {"time": 0},
            "time must be a number of seconds above 0, 1000000 at most, or as in 10+0.1 or 40/60, not 0",
        ),
        ({"memory": "1M"}, "memory must be at least 64M, not '1M'"),
        ({"memory": "99999G"}, "memory must be at most 1024G, not '99999G'"),
        ({"scratch": "99999G"}, "scratch must be at most 1024G, not '99999G'"),
        ({"suspend_after": "0.1"}, 'suspend_after must be a share such as "10%", or "never", not \'0.1\''),
        ({"openings": "none.txt"}, "openings must be an existing file with openings, not 'none.txt'"),
        ({"rounds": True}, "rounds must be a whole number from 1 to 100000, not True"),
        ({"sprt": None}, "unknown key 'sprt'"),
        ({"game": None}, "game must be a text with visible characters, not None"),
    ],
)
def test_a_wrong_argument_is_one_clear_line(given: dict[str, object], message: str) -> None:
    with pytest.raises(BadSettings) as caught:
        Settings.of(given)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_arguments_are_read_like_the_values_of_a_league_file() -> None:
    found = Settings.of({"memory": "2G", "suspend_after": "never", "time": 3, "needs": ["torch"], "turns": None})
    assert found == Settings(memory=2 << 30, suspend_after=None, time=TimeControl(3.0), needs=("torch",))


def test_every_setting_has_a_help_text_and_a_default_that_its_own_check_accepts() -> None:
    for name, option in options().items():
        assert len(option.help) > 15, name
        default = getattr(Settings(), name)
        if default is not None:
            assert option.kind.read(default) == default, name


def test_every_setting_is_a_key_of_league_files_and_an_option_of_the_command_line() -> None:
    assert (*(name.replace("_", "-") for name in options()), "entrants") == KEYS

    @cli_options.game_options
    @cli_options.run_options
    @cli_options.league_options
    @cli_options.ladder_options
    @cli_options.workers_option
    @cli_options.name_option
    def command(**_: object) -> None: ...

    made = {each.name: each for each in click.command(command).params if isinstance(each, click.Option)}
    assert made.keys() == options().keys()
    for name, option in options().items():
        assert option.help.split(".")[0] in (made[name].help or "")


def test_a_setting_is_named_in_one_module_besides_its_use() -> None:
    # `suspend_after` is used by the league and is an option of ladders; benchmarks, studies and games on the site
    # switch it off.
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "arena").rglob("*.py")
        if re.search(r"suspend[_-]after", path.read_text(encoding="utf-8"))
    }
    assert found == {
        "arena/cli/ladder.py",
        "arena/competition/settings.py",
        "arena/competition/league.py",
        "arena/competition/matches.py",
        "arena/studies/leagues.py",
        "arena/web/table.py",
    }

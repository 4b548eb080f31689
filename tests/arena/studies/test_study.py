"""Study files: how they are read, how mistakes are reported, and the bundled studies."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadSettings
from arena.studies import study as study_file
from arena.studies.study import LeaguePart, MeasurePart, Study, load

HEAD = """
title = "A study"
question = "Who is better?"
claim = "Nobody knows."
game = "othello"
opening-turns = 4
"""
LEAGUE = """
[[parts]]
name = "match"
label = "greedy against random"
rounds = 5
entrants = ["greedy", "random"]
short = { rounds = 1 }
"""
MEASURE = """
[[parts]]
label = "positions"
module = "agents.microchess_growth"
arguments = ["--depth", 5]
short = { arguments = ["--depth", 2] }
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


@pytest.fixture
def study(tmp_path: Path) -> Any:
    """Write a study file with this text and read it."""

    def read(text: str, *, short: bool = False) -> Study:
        return load(write(tmp_path, text), short=short)

    return read


def test_a_study_has_its_leagues_and_measures_in_file_order(study: Any) -> None:
    found = study(HEAD + LEAGUE + MEASURE)
    assert (found.name, found.title, found.claim) == ("mine", "A study", "Nobody knows.")
    match, positions = found.parts
    assert isinstance(match, LeaguePart)
    assert isinstance(positions, MeasurePart)
    assert [line.text for line in match.settings.entrants] == ["greedy", "random"]
    assert (positions.name, positions.module) == ("2", "agents.microchess_growth")
    assert positions.arguments == ("--depth", "5")


def test_settings_above_the_parts_apply_to_all_parts_unless_a_part_overrides_them(study: Any) -> None:
    other = LEAGUE.replace('"match"', '"go"').replace("rounds = 5", 'rounds = 5\ngame = "go"')
    first, second = (part.settings.settings for part in study(HEAD + LEAGUE + other).leagues)
    assert (first["game"], first["opening_turns"]) == ("othello", 4)
    assert (second["game"], second["opening_turns"]) == ("go", 4)


def test_the_short_form_is_smaller_and_has_a_name_of_its_own(study: Any) -> None:
    full, short = study(HEAD + LEAGUE + MEASURE), study(HEAD + LEAGUE + MEASURE, short=True)
    assert (full.stem, full.games) == ("mine", 10)
    assert (short.stem, short.games) == ("mine-short", 2)
    assert short.measures[0].arguments == ("--depth", "2")


def test_the_short_form_can_leave_a_part_out(study: Any) -> None:
    long = LEAGUE.replace('"match"', '"long"').replace("{ rounds = 1 }", "false")
    assert [part.name for part in study(HEAD + LEAGUE + long).parts] == ["match", "long"]
    assert [part.name for part in study(HEAD + LEAGUE + long, short=True).parts] == ["match"]


@pytest.mark.parametrize(
    ("form", "games"), [("round-robin", 12), ("gauntlet", 6), ("swiss", 4), ("knockout", 6)]
)  # fmt: skip
def test_the_number_of_games_is_known_for_every_format(study: Any, form: str, games: int) -> None:
    four = f'entrants = ["greedy", "random", "uct", "mcts"]\nformat = "{form}"'
    text = HEAD + LEAGUE.replace('entrants = ["greedy", "random"]', four).replace("rounds = 5\n", "")
    assert study(text).games == games


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + LEAGUE.replace("rounds = 5", "ronds = 5"), "part 1: unknown key 'ronds'; did you mean 'rounds'?"),
        (HEAD + LEAGUE.replace("label", "lable"), "part 1: unknown key 'lable'; did you mean 'label'?"),
        (HEAD + LEAGUE.replace("{ rounds", "{ round"), "part 1: unknown key 'round'; did you mean 'rounds'? in short"),
        (HEAD + MEASURE.replace("arguments = [\"--depth\", 5]", "argument = 5"), "did you mean 'arguments'?"),
        (HEAD.replace("claim", "clam") + LEAGUE, "unknown key 'clam'; did you mean 'claim'?"),
        (HEAD + "workers = 2\n" + LEAGUE, "unknown key 'workers'"),
        (HEAD + LEAGUE.replace("rounds = 5", "rounds = 0"), "part 1: rounds must be a whole number"),
        (HEAD + LEAGUE.replace("{ rounds = 1 }", "{ rounds = 0 }"), "part 1: rounds must be a whole number"),
        (HEAD + LEAGUE.replace("short = { rounds = 1 }", ""), "part 1: short is missing"),
        (HEAD + LEAGUE.replace("short = { rounds = 1 }", "ronds = 1"), "part 1: unknown key 'ronds'; did you mean"),
        (HEAD + MEASURE + "rounds = 2", "part 1: a part has only one of entrants, module and train: rounds belongs"),
        (HEAD + LEAGUE + 'module = "x"', "part 1: a part has only one of entrants, module and train: rounds belongs"),
        (HEAD + MEASURE.replace('{ arguments = ["--depth", 2] }', "{ time = 1 }"), "part 1: a part has only one of"),
        (HEAD + MEASURE.replace("5]", '"a\\u0000b"]'), "part 1: arguments must have visible characters only, not 'a"),
        (HEAD + MEASURE.replace("2]", '"a\\nb"]'), "part 1: arguments must have visible characters only, not 'a"),
        (HEAD.replace("Nobody", "x" * 1000) + LEAGUE, "claim has 1007 characters; at most 1000 are allowed"),
        (HEAD.replace("Who", "x" * 1000) + LEAGUE, "question has 1011 characters; at most 1000 are allowed"),
        (HEAD + LEAGUE.replace("{ rounds = 1 }", "true"), "part 1: short must be a table"),
        (HEAD + LEAGUE.replace("{ rounds = 1 }", "false"), "the short form has no part"),
        (HEAD + LEAGUE.replace(', "random"', ""), "part 1: a league needs at least two entrants"),
        (HEAD + LEAGUE + LEAGUE, "two parts have the name 'match'"),
        (HEAD + LEAGUE.replace("label = \"greedy against random\"", ""), "part 1: label is missing"),
        (HEAD + MEASURE.replace("agents.microchess_growth", "../growth"), "part 1: module must be a dotted name"),
        (HEAD + MEASURE.replace("module = \"agents.microchess_growth\"", ""), "arguments belongs to a part with"),
        (HEAD + MEASURE.replace("5]", "[5]]"), "part 1: arguments must be texts and numbers"),
        (HEAD + MEASURE.replace("[\"--depth\", 5]", "5"), "part 1: arguments must be a list"),
        (HEAD, "a study needs [[parts]]"),
        ("parts = [1]\n" + HEAD, "part 1: must be a table"),
        (HEAD.replace('title = "A study"', "") + LEAGUE, "title is missing"),
        (HEAD.replace('"A study"', "7") + LEAGUE, "title must be a text"),
        ("title = ", "cannot read"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_in_one_line_with_the_nearest_key(study: Any, text: str, message: str) -> None:
    with pytest.raises(BadSettings) as caught:
        # A mistake in the short form is found when the full form is read, and the other way round.
        study(text, short="no part" in message)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_question_and_a_claim_may_have_1000_characters(study: Any) -> None:
    found = study(HEAD.replace("Who is better?", "q" * 1000).replace("Nobody knows.", "c" * 1000) + LEAGUE)
    assert (len(found.question), len(found.claim)) == (1000, 1000)


@pytest.mark.parametrize("name", ["/nonexistent.toml", "./missing.toml", "missing.toml", "no/where", "/etc/passwd/x"])
def test_the_error_for_a_missing_file_does_not_list_the_bundled_studies(name: str) -> None:
    with pytest.raises(BadSettings) as caught:
        load(name)
    assert str(caught.value) == f"no study file {name!r}: there is no such file"


@pytest.mark.parametrize("name", ["folder", "./folder", "folder/", "named.toml", "."])
def test_a_folder_is_not_a_study(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "named.toml").mkdir()
    with pytest.raises(BadSettings) as caught:
        load(name)
    assert str(caught.value) == f"no study file {name!r}: it is a folder"


def test_a_measure_knows_the_folder_of_its_study_file(study: Any, tmp_path: Path) -> None:
    assert study(HEAD + MEASURE).measures[0].folder == tmp_path
    assert load("microchess-growth").measures[0].folder is None


@pytest.mark.parametrize("name", ["othelo-2", "othello-22", "x" * 5000])
def test_the_error_for_an_unknown_study_names_known_ones(name: str) -> None:
    with pytest.raises(
        BadSettings, match=f"no study {name!r}; (did you mean 'othello-2'|these ship with arena: books, )"
    ):
        load(name)


def test_relative_paths_start_at_the_folder_of_the_study(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("")
    text = HEAD + LEAGUE.replace("rounds = 5", 'rounds = 5\nopenings = "openings.txt"').replace('"random"', '"./a.py"')
    (part,) = load(write(tmp_path, text)).leagues
    assert part.settings.settings["openings"] == tmp_path / "openings.txt"
    assert part.settings.entrants[1].text == f"{tmp_path}/./a.py"


def test_the_eight_othello_studies_and_the_others_are_bundled() -> None:
    assert set(study_file.names()) == {
        *(f"othello-{number}" for number in range(1, 9)), "gomoku", "mushroom", "go", "puct", "uct-alphabeta",
        "rollouts", "microchess-ladder", "microchess-mcts", "microchess-growth", "first-player", "learning-microchess",
        "learning-ablations", "earlier-recipe", "books", "endings",
    }  # fmt: skip


@pytest.mark.parametrize("name", study_file.names())
def test_a_bundled_study_can_be_read_and_its_short_form_is_short(name: str) -> None:
    full, short = load(name), load(name, short=True)
    assert full.games >= 3 * short.games > 0 or full.games == short.games == 0 or name == "microchess-ladder"
    assert short.games <= 60
    assert len(short.measures) == len(full.measures)
    assert short.minutes <= 0.1
    assert all(part.settings.settings["seed"] for part in full.leagues), "a bundled study has fixed openings"


def test_the_list_names_every_study_with_the_games_and_minutes_of_both_forms(arena: Any) -> None:
    ran = arena("study")
    assert ran.code == 0
    for line, name in zip(ran.out.splitlines()[2:], study_file.names(), strict=True):
        short = load(name, short=True)
        assert line.startswith(f"{name} ")
        assert load(name).title in line
        assert f"{short.games} games" in line or f"{len(short.measures)} measure" in line
        assert (f" {load(name).minutes:g} CPU-minutes" in line) == bool(short.minutes)
    (listed,) = arena("study", "--json").json
    assert [entry["study"] for entry in listed] == study_file.names()
    assert {entry["games_short"] for entry in json.loads(json.dumps(listed))} != {0}
    minutes = {entry["study"]: entry["cpu_minutes"] for entry in listed if entry["cpu_minutes"]}
    assert minutes == {"earlier-recipe": 40.0, "learning-ablations": 110.0, "learning-microchess": 80.0}

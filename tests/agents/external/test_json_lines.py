"""JSON lines: the messages, hostile replies, and whole games with the examples."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import agents.external
import games
from agents.external.json_lines import PROTOCOL, JsonLines
from agents.external.protocol import ScriptedChannel
from agents.seat import Channel, Ended, Fault, History, Late, Times
from games.base import BLACK, WHITE, Color, Game, State
from games.errors import BadParameters, IllegalMove

FOLDER = Path(agents.external.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
MICROCHESS = games.load("microchess")
TIMES = Times(own=398.2, opponent=400.0, opponent_last_move=0.1)
FOREVER = 1e9
SECONDS = 600.0


def answering(*answers: str | Exception) -> ScriptedChannel:
    """A program that gives these answers one by one."""
    left = iter(answers)
    return ScriptedChannel(lambda _: [answer for answer in [next(left, None)] if answer is not None])


def short(value: object) -> str:
    """A short name of a parameter for the name of its test."""
    return str(value)[:20]


def history(game: Game, *moves: str) -> History:
    start = state = game.start()
    for move in moves:
        state = state.forward(state.parse(move))
    return History(start.text, moves, state)


def asked(answer: str | Exception) -> str:
    """The move that an answer is read as."""
    return JsonLines(MICROCHESS, {}).ask(answering(answer), history(MICROCHESS), TIMES, FOREVER)


def begun(answer: str, *, color: Color = WHITE) -> JsonLines:
    protocol = JsonLines(MICROCHESS, {})
    protocol.begin(answering(answer), color, start=MICROCHESS.start().text, seed=1, deadline=FOREVER)
    return protocol


def test_the_conversation_of_the_readme_is_true() -> None:
    (dialogue,) = re.findall(r"^```\n(-> .*?)^```$", README, re.DOTALL | re.MULTILINE)
    sent = [line.removeprefix("-> ") for line in dialogue.splitlines() if line.startswith("-> ")]
    answers = [line.removeprefix("<- ") for line in dialogue.splitlines() if line.startswith("<- ")]
    questions = [json.loads(line) for line in sent]
    channel = answering(*answers)
    protocol = JsonLines(MICROCHESS, {})
    protocol.greet(channel, FOREVER)
    protocol.begin(channel, BLACK, start=MICROCHESS.start().text, seed=questions[0]["seed"], deadline=FOREVER)
    assert protocol.name == "My bot 1.0"
    for question, answer in zip(questions[1:-1], answers[1:], strict=True):
        times = Times(own=question["own"], opponent=question["opponent"], opponent_last_move=0.0)
        move = protocol.ask(channel, history(MICROCHESS, *question["moves"]), times, FOREVER)
        assert move == json.loads(answer)["move"]
    protocol.end(channel)
    assert channel.sent == sent


def test_the_readme_explains_every_key() -> None:
    channel = answering('{"type":"ready"}', '{"move":"d2d3"}')
    protocol = JsonLines(MICROCHESS, {})
    protocol.begin(channel, WHITE, start=MICROCHESS.start().text, seed=1, deadline=FOREVER)
    protocol.ask(channel, history(MICROCHESS), TIMES, FOREVER)
    protocol.end(channel)
    for message in map(json.loads, channel.sent):
        assert f"**`{message.pop('type')}`**" in README
        for key in message:
            assert re.search(rf"^\| [^|]*`{key}`", README, re.MULTILINE), key
    assert f"| `protocol` | {PROTOCOL};" in README


def test_every_line_is_ascii_without_spaces_outside_of_strings() -> None:
    game = games.load("go:size=5,komi=6.5")
    channel = answering('{"type":"ready"}', '{"move":"C3"}')
    protocol = JsonLines(game, {})
    protocol.begin(channel, game.first, start=game.start().text, seed=1, deadline=FOREVER)
    protocol.ask(channel, history(game), TIMES, FOREVER)
    for line in channel.sent:
        assert line.isascii()
        assert " " not in re.sub(r'"[^"]*"', "", line)
    assert '"parameters":{"size":5,"komi":6.5,"turns":0,"suicide":"no"},"color":"first"' in channel.sent[0]
    assert '"legal":["' in channel.sent[1]
    assert '"own":398.2,"opponent":400.0}' in channel.sent[1]


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**63 - 1])
def test_a_seed_is_a_number_that_every_language_can_represent(seed: int) -> None:
    channel = answering('{"type":"ready"}')
    JsonLines(MICROCHESS, {}).begin(channel, WHITE, start=MICROCHESS.start().text, seed=seed, deadline=FOREVER)
    sent = json.loads(channel.sent[0])["seed"]
    assert 0 <= sent < 2**32
    assert seed >= 2**32 or sent == seed


def test_a_game_without_a_limit_has_no_seconds() -> None:
    channel = answering('{"move":"d2d3"}')
    endless = Times(own=float("inf"), opponent=float("inf"), opponent_last_move=0.0)
    JsonLines(MICROCHESS, {}).ask(channel, history(MICROCHESS), endless, FOREVER)
    assert channel.sent[0].endswith('"own":null,"opponent":null}')


def test_a_program_can_join_in_the_middle_of_a_game() -> None:
    channel = answering('{"type":"ready"}', '{"move":"a3a2"}')
    protocol = JsonLines(MICROCHESS, {})
    protocol.begin(channel, BLACK, start=MICROCHESS.start().text, seed=1, deadline=FOREVER)
    joined = history(MICROCHESS, "d2d3", "a4a3", "d3d4")
    protocol.ask(channel, joined, TIMES, FOREVER)
    question = json.loads(channel.sent[-1])
    assert question["moves"] == ["d2d3", "a4a3", "d3d4"]
    assert question["position"] == joined.state.text
    assert question["legal"] == [str(move) for move in joined.state.legal_moves]


def test_a_program_that_is_kept_gets_another_start() -> None:
    channel = answering('{"type":"ready","name":"one"}', '{"move":"d2d3"}', '{"type":"ready"}', '{"move":"a4a3"}')
    protocol = JsonLines(MICROCHESS, {})
    for color in (WHITE, BLACK):
        protocol.begin(channel, color, start=MICROCHESS.start().text, seed=1, deadline=FOREVER)
        protocol.ask(channel, history(MICROCHESS), TIMES, FOREVER)
    assert [json.loads(line).get("color") for line in channel.sent] == ["first", None, "second", None]
    assert protocol.name == ""


@pytest.mark.parametrize(
    "answer",
    [
        '{"move":"d2d3"}',
        ' { "move" : "d2d3" } ',
        '{"move":"d2d3","score":0.3,"pv":["d2d3",{"x":[]}],"type":"answer"}',
        '{"score":NaN,"nodes":1e999,"depth":-Infinity,"move":"d2d3"}',
        '{"move":"a1a1","move":"d2d3"}',
        r'{"move":"\u0064\u0032d3"}',
    ],
)
def test_the_move_is_used_and_other_keys_are_ignored(answer: str) -> None:
    assert asked(answer) == "d2d3"


NOT_JSON = [
    "", "   ", "d2d3", "move d2d3", '{"move":"d2d3"', '{"move":"d2d3"}{"move":"d2d4"}', "{'move':'d2d3'}",
    '{"move":"d2\td3"}', '\ufeff{"move":"d2d3"}', "[" * 60_000, '{"a":' * 12_000, f'{{"move":{"9" * 60_000}}}',
    '{"move":"\ufffd', "\x00", "\x1b[2J",
]  # fmt: skip
NO_OBJECT = ["null", "7", "NaN", '"d2d3"', '["d2d3"]', "[]", "true"]
NO_MOVE = [
    "{}", '{"move":null}', '{"move":7}', '{"move":["d2d3"]}', '{"move":{"move":"d2d3"}}', '{"Move":"d2d3"}',
    '{"move":true}', '{"type":"ready"}', f'{{"name":"{"x" * 60_000}"}}',
]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        *((answer, "which is not JSON") for answer in NOT_JSON),
        *((answer, "which is not a JSON object") for answer in NO_OBJECT),
        *((answer, "which has no string as its move") for answer in NO_MOVE),
    ],
    ids=short,
)
def test_an_answer_without_a_move_is_a_fault(answer: str, words: str) -> None:
    with pytest.raises(Fault) as caught:
        asked(answer)
    assert caught.value.rule == "protocol"
    assert caught.value.detail.endswith(words)
    assert len(caught.value.detail) < 400
    assert caught.value.detail.isprintable()


@pytest.mark.parametrize(
    "answer", [*NOT_JSON, *NO_OBJECT, "{}", '{"type":"go"}', '{"type":["ready"]}', '{"move":"d2d3"}'], ids=short
)
def test_a_reply_to_start_other_than_ready_is_a_fault(answer: str) -> None:
    with pytest.raises(Fault) as caught:
        begun(answer)
    assert caught.value.rule == "protocol"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ('{"move":""}', ""),
        ('{"move":" d2d3"}', " d2d3"),
        ('{"move":"resign"}', "resign"),
        (r'{"move":"d2d3\ud800"}', "d2d3?"),
        (r'{"move":"d2d3\u0000"}', "d2d3\0"),
        ('{"move":"d２d3"}', "d?d3"),  # noqa: RUF001
        (f'{{"move":"d2d3{" " * 60_000}"}}', f"d2d3{' ' * 61}"),
    ],
    ids=short,
)
def test_any_move_text_is_cut_and_made_ascii(answer: str, text: str) -> None:
    assert asked(answer) == text
    with pytest.raises(IllegalMove):
        MICROCHESS.start().parse(text)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ('"Bot 1.0"', "Bot 1.0"),
        (f'"{"x" * 60_000}"', "x" * 100),
        (r'"a\ud800b"', "a?b"),
        (r'"\ud83c\udf44"', "🍄"),
        (r'"a\u001b[31m"', "a\x1b[31m"),
        ("null", ""),
        ('["Bot"]', ""),
        ("7", ""),
    ],
    ids=short,
)
def test_a_name_is_cut_to_a_hundred_characters_that_can_be_stored(name: str, kept: str) -> None:
    found = begun(f'{{"type":"ready","name":{name}}}').name
    assert found == kept
    assert found.encode().decode() == kept


def test_a_program_need_not_have_a_name() -> None:
    assert JsonLines(MICROCHESS, {}).name == ""
    assert begun('{"type":"ready"}').name == ""


@pytest.mark.parametrize("problem", [Late("no line in time"), Ended("the program has exited")])
def test_exceptions_of_the_channel_are_passed_on(problem: Exception) -> None:
    with pytest.raises(type(problem)):
        asked(problem)


def test_options_are_refused() -> None:
    with pytest.raises(BadParameters, match="json has no option 'depth'; put options of the engine into its command"):
        JsonLines(MICROCHESS, {"depth": 3})


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the example in C++."""
    binary = tmp_path_factory.mktemp("examples") / "random_bot"
    compiler = os.environ.get("CXX") or shutil.which("g++")
    assert compiler, "g++ is not installed; Debian: apt-get install g++"
    strict = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([compiler, "-O1", *strict, "-o", binary, FOLDER / "examples" / "random_bot.cpp"], check=True)
    return [str(binary)]


@pytest.fixture(params=["cpp", "js"])
def example(request: pytest.FixtureRequest, process: Callable[[Sequence[str]], Channel]) -> Callable[[], Channel]:
    """Starts the example in C++, then the one in JavaScript."""
    if request.param == "cpp":
        command = request.getfixturevalue("compiled")
    else:
        node = shutil.which("node")
        assert node, "node is not installed; Debian: apt-get install nodejs"
        command = [node, str(FOLDER / "examples" / "random_bot.js")]
    return lambda: process(command)


@pytest.mark.parametrize(
    "name", ["microchess", "othello", "gomoku", "mushroom", "go:size=5,turns=60", "chess:turns=40"]
)
def test_the_examples_play_whole_games_of_any_kind_and_exit(
    example: Callable[[], Channel], whole_game: Callable[..., State], name: str
) -> None:
    game, channel = games.load(name), example()
    protocol = JsonLines(game, {})
    protocol.greet(channel, FOREVER)
    for seed, color in enumerate([WHITE, BLACK]):
        assert whole_game(protocol, channel, game.start(seed), color, seed=seed).turns > 5
    assert protocol.name.startswith("Random in ")
    protocol.end(channel)
    with pytest.raises(Ended):
        channel.receive(time.monotonic() + SECONDS)


def test_the_examples_play_from_any_position(example: Callable[[], Channel], whole_game: Callable[..., State]) -> None:
    start = MICROCHESS.position("k2r/p3/4/3P/R2K b Qk - 0 1")
    channel = example()
    for color in (WHITE, BLACK):
        last = whole_game(JsonLines(MICROCHESS, {}), channel, start, color, seed=5)
        assert last.turns > start.turns


def test_the_examples_use_the_seed(example: Callable[[], Channel]) -> None:
    game = games.load("othello")
    played = []
    for seed in (3, 3, 4):
        channel = example()
        protocol = JsonLines(game, {})
        protocol.begin(channel, game.first, start=game.start().text, seed=seed, deadline=time.monotonic() + SECONDS)
        joined = [history(game), history(game, "d3", "c3"), history(game, "d3", "c3", "c4", "e3")]
        played.append([protocol.ask(channel, now, TIMES, time.monotonic() + SECONDS) for now in joined * 5])
    assert played[0] == played[1] != played[2]


@pytest.mark.parametrize("name", ["random_bot.cpp", "random_bot.js"])
def test_an_example_is_short_and_shows_its_command(name: str) -> None:
    text = (FOLDER / "examples" / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert "arena play 'json:command=" in text
    assert name in README

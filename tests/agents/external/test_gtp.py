"""Playing against GTP engines: scripted engines, GNU Go and GRhino."""

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from agents.external.gtp import Gtp
from agents.external.protocol import EngineProtocol, ScriptedChannel
from agents.seat import Channel, Ended, Fault, History, Late, Times
from games.base import BLACK, WHITE, Game, State, load
from games.errors import BadParameters

GO = load("go")
OTHELLO = load("othello")
FAR = 1e12
GNUGO = ("/usr/games/gnugo", "--mode", "gtp", "--chinese-rules", "--positional-superko")
#: It never resigns, and captures dead stones before it passes: the area counts as it stands.
GNUGO_TO_THE_END = (*GNUGO, "--capture-all-dead", "--never-resign", "--level", "0")
RHINO = ("/usr/games/gtp-rhino",)

#: The reply of an engine to each command, without sign and number; a failure begins with `?`.
Replies = Mapping[str, str]
KNOWN = "boardsize clear_board komi play genmove quit"
SELF = {"protocol_version": "2", "name": "Rock", "version": "1.5"}


def engine(replies: Replies, known: str = KNOWN) -> Callable[[str], Iterable[str | Exception]]:
    """An engine that gives these replies; the reply to other commands is empty."""
    answers = {**SELF, "list_commands": "\n".join(known.split()), **replies}

    def reply(line: str) -> Iterable[str | Exception]:
        if line == "quit":
            return [Ended("gone")]
        number, _, command = line.partition(" ")
        assert number.isdigit()
        answer = answers.get(command, answers.get(command.split()[0], ""))
        text = f"?{number} {answer[1:]}" if answer.startswith("?") else f"={number} {answer}"
        return [*text.split("\n"), ""]

    return reply


def commands(channel: ScriptedChannel) -> list[str]:
    """The commands sent since the last call, without their numbers."""
    lines = [line.partition(" ")[2] for line in channel.sent]
    channel.sent.clear()
    return lines


def begun(game: Game, replies: Replies, known: str = KNOWN, seed: int = 5) -> tuple[Gtp, ScriptedChannel]:
    """A protocol in a new game, and its channel, with an empty list of sent lines."""
    protocol, channel = Gtp(game, {}), ScriptedChannel(engine(replies, known))
    protocol.greet(channel, FAR)
    protocol.begin(channel, BLACK, start=game.start().text, seed=seed, deadline=FAR)
    channel.sent.clear()
    return protocol, channel


def history(game: Game, *moves: str) -> History:
    state = game.start()
    for move in moves:
        state = state.forward(move)
    return History(game.start().text, moves, state)


def times(own: float = 400.0) -> Times:
    return Times(own=own, opponent=300.0, opponent_last_move=1.0)


def raw(*lines: str | Exception) -> ScriptedChannel:
    """An engine that replies with these lines to the first command."""
    left = iter([lines])
    return ScriptedChannel(lambda line: next(left, ()))


def test_it_plays_go_and_othello() -> None:
    protocol: EngineProtocol = Gtp(GO, {})
    assert protocol.games == ("go", "othello")
    assert protocol.starts == "moves"
    assert protocol.name == ""


def test_the_handshake_asks_for_name_version_and_commands() -> None:
    protocol, channel = Gtp(GO, {}), ScriptedChannel(engine({}))
    protocol.greet(channel, FAR)
    assert channel.sent == ["1 protocol_version", "2 name", "3 version", "4 list_commands"]
    assert protocol.name == "Rock 1.5"


@pytest.mark.parametrize(
    ("name", "version", "shown"),
    [("Rock", "", "Rock"), ("x" * 60_000, "1", "x" * 100), ("\x1b[31mRed", "\x07", "[31mRed")],
)
def test_names_are_short_and_without_control_characters(name: str, version: str, shown: str) -> None:
    protocol = Gtp(GO, {})
    protocol.greet(ScriptedChannel(engine({"name": name, "version": version})), FAR)
    assert protocol.name == shown


@pytest.mark.parametrize("version", ["1", "", "2.0", "two" * 1000])
def test_another_version_of_the_protocol_is_a_fault(version: str) -> None:
    channel = ScriptedChannel(engine({"protocol_version": version}))
    with pytest.raises(Fault, match=r"^protocol: speaks version '.{0,20}' of GTP, not 2$"):
        Gtp(GO, {}).greet(channel, FAR)


@pytest.mark.parametrize("command", ["protocol_version", "name", "version", "list_commands"])
def test_a_refused_handshake_is_a_fault(command: str) -> None:
    channel = ScriptedChannel(engine({command: "?unknown command"}))
    with pytest.raises(Fault, match=f"^protocol: refused '{command}': 'unknown command'$"):
        Gtp(GO, {}).greet(channel, FAR)


@pytest.mark.parametrize(
    "lines",
    [
        ("=1 1", ""),
        ("= 1", ""),
        ("=1\t1 ", ""),
        ("=1 1\r", "\r"),
        ("\x01=\x021 1\x7f", "\x03"),
        ("", " ", "\t", "=1 1", ""),
        ("=1", "1", ""),
        ("=1 1", " \t "),
    ],
)
def test_replies_are_read_in_every_form_that_the_protocol_allows(lines: Sequence[str]) -> None:
    with pytest.raises(Fault, match=r"speaks version '\\?n?1' of GTP, not 2"):
        Gtp(GO, {}).greet(raw(*lines), FAR)


@pytest.mark.parametrize("line", ["GNU Go 3.8", "uciok", "=2 2", "?7 no", "2", "# =1 2", "{}", "x" * 60_000])
def test_a_line_that_is_not_the_reply_is_a_fault(line: str) -> None:
    with pytest.raises(Fault, match=r"^protocol: sent .* instead of a reply to '1 protocol_version'$") as caught:
        Gtp(GO, {}).greet(raw(line, ""), FAR)
    assert len(caught.value.detail) < 200


def test_a_reply_that_does_not_end_is_late() -> None:
    with pytest.raises(Late):
        Gtp(GO, {}).greet(raw("=1 2"), FAR)


def test_a_reply_that_is_too_long_is_a_fault() -> None:
    with pytest.raises(Fault, match="sent a reply of more than 65536 characters"):
        Gtp(GO, {}).greet(raw("=1 2", *["x" * 1000] * 70), FAR)


def test_an_engine_that_exits_has_ended() -> None:
    with pytest.raises(Ended):
        Gtp(GO, {}).greet(raw("=1 2", Ended("gone")), FAR)


def test_a_game_of_go_begins_with_size_and_komi() -> None:
    game = load("go:size=13,komi=5.5")
    protocol, channel = Gtp(game, {}), ScriptedChannel(engine({}))
    protocol.begin(channel, WHITE, start=game.start().text, seed=1, deadline=FAR)
    assert commands(channel) == ["boardsize 13", "clear_board", "komi 5.5"]


def test_set_game_is_sent_to_an_engine_that_knows_it() -> None:
    protocol, channel = Gtp(OTHELLO, {}), ScriptedChannel(engine({}, f"{KNOWN} set_game"))
    protocol.greet(channel, FAR)
    commands(channel)
    protocol.begin(channel, WHITE, start=OTHELLO.start().text, seed=1, deadline=FAR)
    assert commands(channel) == ["set_game Othello", "boardsize 8", "clear_board"]


@pytest.mark.parametrize("command", ["boardsize 9", "clear_board", "komi 7", "set_game Go"])
def test_a_refused_game_is_a_fault(command: str) -> None:
    with pytest.raises(Fault, match=f"^protocol: refused '{command}': 'no'$"):
        begun(GO, {command: "?no"}, f"{KNOWN} set_game")


def test_the_seed_is_sent_to_an_engine_that_knows_the_command() -> None:
    protocol, channel = Gtp(GO, {}), ScriptedChannel(engine({}, f"{KNOWN} set_random_seed"))
    protocol.greet(channel, FAR)
    protocol.begin(channel, WHITE, start=GO.start().text, seed=2**63 + 77, deadline=FAR)
    assert commands(channel)[-3:] == ["clear_board", "set_random_seed 77", "komi 7"]


def test_only_unknown_moves_are_sent() -> None:
    protocol, channel = begun(GO, {"genmove black": "D4", "genmove white": "E5"})
    assert protocol.ask(channel, history(GO), times(), FAR) == "D4"
    assert commands(channel) == ["genmove black"]
    assert protocol.ask(channel, history(GO, "D4", "pass"), times(), FAR) == "D4"
    assert commands(channel) == ["play white pass", "genmove black"]


def test_an_opening_is_sent_move_by_move() -> None:
    protocol, channel = begun(GO, {"genmove": "E5"})
    assert protocol.ask(channel, history(GO, "A1", "J9", "H8"), times(), FAR) == "E5"
    assert commands(channel) == ["play black A1", "play white J9", "play black H8", "genmove white"]


def test_an_unknown_game_is_sent_from_the_start() -> None:
    protocol, channel = begun(GO, {"genmove": "E5"}, f"{KNOWN} set_random_seed")
    protocol.ask(channel, history(GO), times(), FAR)
    commands(channel)
    protocol.ask(channel, history(GO, "E4", "D4"), times(), FAR)
    assert commands(channel) == [
        "clear_board", "set_random_seed 5", "play black E4", "play white D4", "genmove black",
    ]  # fmt: skip


def test_a_second_game_starts_on_an_empty_board() -> None:
    protocol, channel = begun(GO, {"genmove": "E5"})
    protocol.ask(channel, history(GO), times(), FAR)
    protocol.begin(channel, WHITE, start=GO.start().text, seed=1, deadline=FAR)
    commands(channel)
    protocol.ask(channel, history(GO, "D4"), times(), FAR)
    assert commands(channel) == ["play black D4", "genmove white"]


def test_the_time_is_sent_in_whole_seconds_rounded_down() -> None:
    protocol, channel = begun(GO, {"genmove black": "D4"}, f"{KNOWN} time_settings time_left")
    protocol.ask(channel, history(GO), times(399.99), FAR)
    assert commands(channel) == ["time_settings 399 0 0", "time_left black 399 0", "genmove black"]
    protocol.ask(channel, history(GO, "D4", "E4"), times(0.5), FAR)
    assert commands(channel) == ["play white E4", "time_left black 0 0", "genmove black"]
    protocol.begin(channel, BLACK, start=GO.start().text, seed=1, deadline=FAR)
    commands(channel)
    protocol.ask(channel, history(GO), times(0.5), FAR)
    assert commands(channel) == ["time_settings 1 0 0", "time_left black 0 0", "genmove black"]


@pytest.mark.parametrize("command", ["time_settings", "time_left", "set_random_seed"])
def test_optional_commands_may_be_refused(command: str) -> None:
    known = f"{KNOWN} time_settings time_left set_random_seed"
    protocol, channel = begun(GO, {command: "?not now", "genmove": "E5"}, known)
    assert protocol.ask(channel, history(GO), times(), FAR) == "E5"


@pytest.mark.parametrize(
    ("game", "answer", "move"),
    [(GO, "e5", "E5"), (GO, "PASS", "pass"), (GO, " J9 ", "J9"), (OTHELLO, "D3", "d3"), (OTHELLO, "c4\nscore 7", "c4")],
)
def test_moves_are_returned_in_the_text_form_of_the_game(game: Game, answer: str, move: str) -> None:
    protocol, channel = begun(game, {"genmove": answer})
    assert protocol.ask(channel, history(game), times(), FAR) == move


@pytest.mark.parametrize("answer", ["resign", "I5", "K10", "", "D4 E5", "a" * 1000, "\N{LATIN SMALL LETTER LONG S}"])
def test_an_illegal_move_is_returned_as_it_is(answer: str) -> None:
    protocol, channel = begun(GO, {"genmove": answer})
    assert protocol.ask(channel, history(GO), times(), FAR) == answer


def test_after_an_illegal_move_the_game_is_sent_from_the_start() -> None:
    protocol, channel = begun(GO, {"genmove": "D4"})
    assert protocol.ask(channel, history(GO, "D4"), times(), FAR) == "D4"
    commands(channel)
    protocol.ask(channel, history(GO, "D4", "E5"), times(), FAR)
    assert commands(channel) == ["clear_board", "play black D4", "play white E5", "genmove black"]


def test_after_a_late_reply_the_game_is_sent_from_the_start() -> None:
    protocol, channel = Gtp(GO, {}), ScriptedChannel(lambda line: [] if "genmove" in line else ["=", ""])
    protocol.begin(channel, BLACK, start=GO.start().text, seed=1, deadline=FAR)
    for _ in range(2):
        commands(channel)
        with pytest.raises(Late):
            protocol.ask(channel, history(GO), times(), FAR)
    assert commands(channel) == ["clear_board", "genmove black"]


def test_a_refused_move_is_a_fault_that_names_it() -> None:
    protocol, channel = begun(GO, {"play white E5": f"?illegal move{'!' * 9999}"})
    with pytest.raises(Fault, match=r"^protocol: refused the move E5 with 'illegal move!+', although ") as caught:
        protocol.ask(channel, history(GO, "D4", "E5"), times(), FAR)
    assert len(caught.value.detail) < 250


def test_an_engine_that_refuses_a_legal_move_is_told_apart_from_one_that_talks_nonsense() -> None:
    game = load("go:size=5,suicide=yes")
    protocol, channel = begun(game, {"play black C3": "?illegal move"})
    with pytest.raises(Fault) as caught:
        protocol.ask(channel, history(game, "C3"), times(), FAR)
    assert caught.value.evidence == {"refused": "C3"}
    assert caught.value.detail == (
        "refused the move C3 with 'illegal move', although it is legal in go:size=5,komi=7,turns=0,suicide=yes"
    )
    protocol, channel = begun(game, {})
    channel = ScriptedChannel(lambda line: ["hello", ""])
    with pytest.raises(Fault) as caught:
        protocol.ask(channel, history(game, "C3"), times(), FAR)
    assert caught.value.detail.startswith("sent 'hello' instead of a reply")
    assert caught.value.evidence == {}


def test_a_refused_genmove_is_a_fault() -> None:
    protocol, channel = begun(GO, {"genmove": "?too hard\nreally"})
    with pytest.raises(Fault, match=r"^protocol: refused 'genmove black': 'too hard\\nreally'$"):
        protocol.ask(channel, history(GO), times(), FAR)


def until_a_pass() -> History:
    """A game of Othello in which the side to move must pass."""
    rng = random.Random(8)
    moves: tuple[str, ...] = ()
    while list(history(OTHELLO, *moves).state.legal_moves) != ["pass"]:
        moves = (*moves, str(rng.choice(list(history(OTHELLO, *moves).state.legal_moves))))
    return history(OTHELLO, *moves)


def test_a_forced_pass_is_played_without_asking() -> None:
    protocol, channel = begun(OTHELLO, {})
    assert protocol.ask(channel, until_a_pass(), times(), FAR) == "pass"
    assert channel.sent == []


@pytest.mark.parametrize("reply", ["", "?syntax error"])
def test_an_engine_may_refuse_a_forced_pass(reply: str) -> None:
    stuck = until_a_pass()
    passed = history(OTHELLO, *stuck.moves, "pass")
    move = str(next(iter(passed.state.legal_moves)))
    protocol, channel = begun(OTHELLO, {"play black pass": reply, "play white pass": reply, "genmove": move})
    assert protocol.ask(channel, passed, times(), FAR) == move
    assert commands(channel)[-2].endswith(" pass")


def test_a_refused_pass_in_go_is_a_fault() -> None:
    protocol, channel = begun(GO, {"play black pass": "?no"})
    with pytest.raises(Fault, match="refused the move pass with 'no', although it is legal in go:"):
        protocol.ask(channel, history(GO, "pass"), times(), FAR)


def test_quit_is_sent_and_a_missing_engine_is_ignored() -> None:
    protocol, channel = begun(GO, {})
    protocol.end(channel)
    assert channel.sent == ["quit"]
    channel.close()
    protocol.end(channel)


def test_options_are_refused() -> None:
    with pytest.raises(BadParameters) as caught:
        Gtp(GO, {"level": 3})
    assert str(caught.value) == "gtp has no option 'level'; put options of the engine into its command"


def connected(process: Callable[[Sequence[str]], Channel], command: Sequence[str], game: Game) -> tuple[Gtp, Channel]:
    protocol, channel = Gtp(game, {}), process(command)
    protocol.greet(channel, time.monotonic() + 600)
    return protocol, channel


def test_grhino_plays_whole_games_of_either_colour(
    process: Callable[[Sequence[str]], Channel], whole_game: Callable[..., State]
) -> None:
    protocol, channel = connected(process, RHINO, OTHELLO)
    assert protocol.name == "GTP GRhino 0.16.1"
    for seed in range(10):
        color = BLACK if seed % 2 else WHITE
        ending = whole_game(protocol, channel, OTHELLO.start(), color, seed=seed).ending
        assert ending is not None
        assert ending.winner == color


def test_grhino_can_join_a_game_at_any_turn(process: Callable[[Sequence[str]], Channel]) -> None:
    protocol, channel = connected(process, RHINO, OTHELLO)
    protocol.begin(channel, WHITE, start=OTHELLO.start().text, seed=1, deadline=time.monotonic() + 600)
    stuck = until_a_pass()
    for turn in (20, 5, 40, len(stuck.moves) + 1):
        moved = history(OTHELLO, *(*stuck.moves, "pass")[:turn])
        assert protocol.ask(channel, moved, times(), time.monotonic() + 600) in moved.state.legal_moves


def test_grhino_refuses_go(process: Callable[[Sequence[str]], Channel]) -> None:
    protocol, channel = connected(process, RHINO, GO)
    with pytest.raises(Fault, match="refused 'set_game Go': 'unsupported game'"):
        protocol.begin(channel, WHITE, start=GO.start().text, seed=1, deadline=time.monotonic() + 600)


@pytest.mark.soak
def test_gnugo_plays_a_whole_game_on_9x9(
    process: Callable[[Sequence[str]], Channel], whole_game: Callable[..., State]
) -> None:
    protocol, channel = connected(process, GNUGO_TO_THE_END, GO)
    assert protocol.name == "GNU Go 3.8"
    ending = whole_game(protocol, channel, GO.start(), WHITE, seed=1).ending
    assert ending is not None
    assert (ending.winner, ending.reason) == (WHITE, "passes")


def test_gnugo_plays_games_of_either_colour_one_after_the_other(
    process: Callable[[Sequence[str]], Channel], whole_game: Callable[..., State]
) -> None:
    game = load("go:size=5,komi=0.5,turns=200")
    protocol, channel = connected(process, GNUGO_TO_THE_END, game)
    for seed, color in enumerate([BLACK, WHITE, BLACK, WHITE]):
        assert whole_game(protocol, channel, game.start(), color, seed=seed).is_game_over()


def test_gnugo_takes_the_seed(process: Callable[[Sequence[str]], Channel]) -> None:
    protocol, channel = connected(process, GNUGO, GO)
    protocol.begin(channel, BLACK, start=GO.start().text, seed=4711, deadline=time.monotonic() + 600)
    channel.send("get_random_seed")
    assert channel.receive(time.monotonic() + 600) == "= 4711"


@pytest.mark.soak
def test_gnugo_and_our_rules_agree_over_many_games(
    process: Callable[[Sequence[str]], Channel], whole_game: Callable[..., State]
) -> None:
    for size, seed in [(9, 2), (9, 3), *((size, seed) for size in (5, 6, 7) for seed in range(10, 16))]:
        game = load(f"go:size={size},turns=400")
        protocol, channel = connected(process, GNUGO_TO_THE_END, game)
        assert whole_game(protocol, channel, game.start(), BLACK if seed % 2 else WHITE, seed=seed).is_game_over()
        channel.close()


TIMED = f"{KNOWN} time_settings time_left kata-time_settings"


def test_a_period_is_sent_as_canadian_byo_yomi() -> None:
    protocol, channel = begun(GO, {"genmove": "D4"}, TIMED)
    protocol.ask(channel, history(GO), replace(times(60.9), moves_to_go=40), FAR)
    assert commands(channel)[:2] == ["time_settings 0 60 40", "time_left black 60 40"]


def test_an_increment_is_sent_to_engines_that_know_it() -> None:
    protocol, channel = begun(GO, {"genmove": "D4"}, TIMED)
    protocol.ask(channel, history(GO), replace(times(10.0), increment=0.5), FAR)
    assert commands(channel)[:3] == [
        "time_settings 10 0 0", "kata-time_settings fischer 10 0.5", "time_left black 10 0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "lines", "score"),
    [
        ("kata-genmove_analyze", "\ninfo move A1 winrate 0.1\ninfo move D4 visits 9 winrate 0.64\nplay D4", 100),
        ("lz-genmove_analyze", "\ninfo move D4 visits 9 winrate 3600 prior 10 info move A1 winrate 1\nplay D4", -100),
        ("lz-genmove_analyze", "\ninfo move D4 winrate 99999\nplay D4", None),
        ("lz-genmove_analyze", "\nplay D4", None),
    ],
)  # fmt: skip
def test_the_score_of_an_engine_that_can_analyse_is_read_if_it_is_wanted(
    command: str, lines: str, score: int | None
) -> None:
    protocol, channel = begun(GO, {command: lines, "genmove": "C3"}, f"{KNOWN} {command}")
    protocol.wants_score = True
    assert (protocol.ask(channel, history(GO), times(), FAR), protocol.score) == ("D4", score)
    protocol.wants_score = False
    assert protocol.ask(channel, history(GO, "D4", "E5"), times(), FAR) == "C3"
    assert protocol.score is None


def test_what_an_engine_that_can_analyse_thinks_is_passed_on() -> None:
    lines = (
        "\ninfo move D4 visits 9 winrate 0.64 prior 0.5 order 0 pv D4 C3 info move c3 visits 1 winrate nan prior 2"
        "\ninfo move Z99 visits 9999999999999 winrate 1e9 info visits 3 info move\nplay D4"
    )
    protocol, channel = begun(GO, {"kata-genmove_analyze": lines, "genmove": "C3"}, f"{KNOWN} kata-genmove_analyze")
    heard: list[object] = []
    protocol.on_thought = heard.append
    assert protocol.ask(channel, history(GO), times(), FAR) == "D4"
    assert heard == [
        {"value": 0.64, "line": ["D4", "C3"], "nodes": 10, "visits": {"D4": 9, "C3": 1}, "policy": {"D4": 0.5}},
        {"value": None, "line": [], "nodes": 0, "visits": {}, "policy": {}},
    ]

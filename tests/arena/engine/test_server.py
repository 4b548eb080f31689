"""The loop of a server: lines in and out, and how the agent is interrupted."""

import io
import os
import queue
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

import agents.external
from arena.engine.protocols import PROTOCOLS, game_of
from arena.engine.server import EngineInfo, Interrupter, LineWriter, Server, read_lines, serve, wait_until_closed
from arena.engine.session import AgentSession
from arena.errors import BadSettings
from arena.referee.scripted_player import ScriptedPlayer
from games.base import load


def session() -> AgentSession:
    """A session that is never asked for a move."""
    return AgentSession(lambda _: ScriptedPlayer(), seconds=1.0)


class Echo(Server):
    """Repeats every line; thinks for ever about `think`, replies `now` at once, ends at `bye` and `off`."""

    games: ClassVar[tuple[str, ...]] = ()

    def __init__(self, interrupter: Interrupter) -> None:
        super().__init__(session(), load("microchess"), EngineInfo("echo", "1.0"))
        self.thinks = threading.Event()
        self._interrupter = interrupter

    def is_quit(self, line: str) -> bool:
        return line == "off"

    def reply_at_once(self, line: str) -> Sequence[str] | None:
        return ("at once",) if line == "now" else None

    def reply(self, line: str) -> Iterable[str]:
        if line == "think":
            with self._interrupter.interruptible():
                self.thinks.set()
                threading.Event().wait()
        self.is_over = line == "bye"
        yield f"read {line}"


def replies_to(*lines: str, kind: type[Echo] = Echo) -> list[str]:
    """The replies to these lines; a line `(wait)` waits until the server thinks."""
    interrupter = Interrupter()
    server, replies = kind(interrupter), list[str]()

    def feed() -> Iterator[str]:
        for line in lines:
            if line == "(wait)":
                assert server.thinks.wait(30)
            else:
                yield line

    serve(server, feed(), replies.append, interrupter=interrupter)
    return replies


def test_lines_are_answered_in_order_until_the_input_ends() -> None:
    assert replies_to("a", "b", "c") == ["read a", "read b", "read c"]


def test_a_line_can_end_the_conversation() -> None:
    assert replies_to("a", "bye", "b") == ["read a", "read bye"]


def test_some_lines_are_answered_while_the_agent_thinks() -> None:
    assert replies_to("think", "(wait)", "now", "off") == ["at once"]


def test_quit_is_obeyed_while_the_agent_thinks() -> None:
    assert replies_to("a", "think", "(wait)", "off") == ["read a"]


def test_the_agent_does_not_think_after_quit_was_read() -> None:
    interrupter = Interrupter()
    interrupter.interrupt()
    replies: list[str] = []
    serve(Echo(interrupter), ["a", "think", "b"], replies.append, interrupter=interrupter)
    assert replies == ["read a"]


def test_a_hangup_interrupts_the_agent() -> None:
    interrupter = Interrupter()
    server = Echo(interrupter)
    serve(
        server, ["think"], [].append, interrupter=interrupter, wait_for_hangup=lambda: [server.thinks.wait(30), None][1]
    )
    assert server.thinks.is_set()


def test_a_closed_output_ends_the_conversation() -> None:
    interrupter = Interrupter()

    def broken(_line: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        serve(Echo(interrupter), ["a"], broken, interrupter=interrupter)
    serve(Echo(interrupter), ["now"], broken, interrupter=interrupter)


def test_a_late_signal_is_harmless() -> None:
    assert replies_to("think", "(wait)", "off") == []
    signal.raise_signal(signal.SIGUSR1)


def test_a_keyboard_interrupt_is_passed_on() -> None:
    class Interrupted(Echo):
        def reply(self, line: str) -> Iterable[str]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replies_to("a", kind=Interrupted)


def test_a_line_writer_writes_whole_lines() -> None:
    stream = io.StringIO()
    write = LineWriter(stream)
    write("a")
    write("b\n")
    assert stream.getvalue() == "a\nb\n\n"


def piped(*chunks: bytes) -> list[str]:
    """The lines that are read from a pipe when these pieces are written."""
    reading, writing = os.pipe()
    arrived: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in read_lines(reading):
            arrived.put(line)
        arrived.put(None)

    thread = threading.Thread(target=read)
    thread.start()
    for chunk in chunks:
        os.write(writing, chunk)
    os.close(writing)
    thread.join(30)
    os.close(reading)
    return list(iter(arrived.get, None))


def test_lines_are_put_together_from_pieces() -> None:
    assert piped(b"uc", b"i\nisre", b"ady\r\n\nquit") == ["uci", "isready", "", "quit"]


def test_bytes_that_are_not_text_are_replaced() -> None:
    assert piped(b"\xff\xfe\x00\nuci\n") == ["\ufffd\ufffd\x00", "uci"]


def test_a_line_of_more_than_a_megabyte_is_left_out() -> None:
    assert piped(b"a\n", b"x" * (3 << 20), b"y\nb\n", b"z" * (2 << 20)) == ["a", "b"]


def test_a_hangup_is_noticed() -> None:
    reading, writing = os.pipe()
    thread = threading.Thread(target=wait_until_closed, args=(writing,))
    thread.start()
    os.close(reading)
    thread.join(30)
    assert not thread.is_alive()
    os.close(writing)


def test_every_protocol_has_a_default_game() -> None:
    assert {name: game_of(name, None) for name in PROTOCOLS} == {
        "uci": "chess", "gtp": "go", "gomocup": "gomoku", "nboard": "othello", "nypc": "mushroom",
    }  # fmt: skip


def test_a_game_may_have_parameters() -> None:
    assert game_of("gtp", "go:size=13,komi=6.5") == "go:size=13,komi=6.5"
    assert game_of("uci", "microchess") == "microchess"


@pytest.mark.parametrize(
    ("protocol", "game"), [("uci", "go"), ("gtp", "chess"), ("gomocup", "othello"), ("nypc", "go")]
)
def test_a_game_that_the_protocol_does_not_support_is_refused(protocol: str, game: str) -> None:
    with pytest.raises(BadSettings, match=f"{protocol} serves .*, not {game}"):
        game_of(protocol, game)


def test_the_readme_describes_every_protocol() -> None:
    text = (Path(agents.external.__file__).parent / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Agents in other programs")[2].partition("\n## ")[0]
    for protocol in PROTOCOLS:
        assert f"| `{protocol}` | " in section
        assert f"arena engine --protocol {protocol} " in section

"""Lines from another program and to it, and how a thought is ended."""

import io
import os
import queue
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import pytest

from arena.engine.post import Break, Speaker, read_lines, serve, wait_for_hangup
from arena.engine.protocols import PROTOCOLS, game_of
from arena.errors import BadSettings


class Echo:
    """Says every line again; thinks for ever about `think`, answers `now` at once, ends at `bye` and `off`."""

    games: ClassVar[tuple[str, ...]] = ()

    def __init__(self, stop: Break) -> None:
        self.is_over = False
        self.thinks = threading.Event()
        self._stop = stop

    def hang_up(self) -> None:
        pass

    def ends(self, line: str) -> bool:
        return line == "off"

    def hear(self, line: str) -> Sequence[str] | None:
        return ("at once",) if line == "now" else None

    def handle(self, line: str) -> Iterable[str]:
        if line == "think":
            with self._stop.thought():
                self.thinks.set()
                threading.Event().wait()
        self.is_over = line == "bye"
        yield f"said {line}"


def said(*lines: str, kind: type[Echo] = Echo) -> list[str]:
    """What is answered to these lines; a line `(wait)` waits until it thinks."""
    stop = Break()
    server, answers = kind(stop), list[str]()

    def feed() -> Iterator[str]:
        for line in lines:
            if line == "(wait)":
                assert server.thinks.wait(30)
            else:
                yield line

    serve(server, feed(), answers.append, stop=stop)
    return answers


def test_lines_are_answered_in_their_order_until_they_end() -> None:
    assert said("a", "b", "c") == ["said a", "said b", "said c"]


def test_a_line_can_end_it() -> None:
    assert said("a", "bye", "b") == ["said a", "said bye"]


def test_some_lines_are_answered_while_it_thinks() -> None:
    assert said("think", "(wait)", "now", "off") == ["at once"]


def test_the_end_is_heard_while_it_thinks() -> None:
    assert said("a", "think", "(wait)", "off") == ["said a"]


def test_a_thought_is_not_begun_when_the_end_was_read() -> None:
    stop = Break()
    stop.call()
    answers: list[str] = []
    serve(Echo(stop), ["a", "think", "b"], answers.append, stop=stop)
    assert answers == ["said a"]


def test_a_hangup_ends_a_thought() -> None:
    stop = Break()
    server = Echo(stop)
    serve(server, ["think"], [].append, stop=stop, hangup=lambda: [server.thinks.wait(30), None][1])
    assert server.thinks.is_set()


def test_nobody_who_listens_is_like_the_end() -> None:
    stop = Break()

    def broken(_line: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        serve(Echo(stop), ["a"], broken, stop=stop)
    serve(Echo(stop), ["now"], broken, stop=stop)


def test_a_signal_that_comes_late_does_no_harm() -> None:
    assert said("think", "(wait)", "off") == []
    signal.raise_signal(signal.SIGUSR1)


def test_an_interrupt_is_not_taken_for_a_break() -> None:
    class Interrupted(Echo):
        def handle(self, line: str) -> Iterable[str]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        said("a", kind=Interrupted)


def test_a_speaker_writes_whole_lines() -> None:
    stream = io.StringIO()
    write = Speaker(stream)
    write("a")
    write("b\n")
    assert stream.getvalue() == "a\nb\n\n"


def piped(*chunks: bytes) -> list[str]:
    """The lines of what comes through a pipe in these pieces."""
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


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert piped(b"\xff\xfe\x00\nuci\n") == ["\ufffd\ufffd\x00", "uci"]


def test_an_absurdly_long_line_is_left_out() -> None:
    assert piped(b"a\n", b"x" * (3 << 20), b"y\nb\n", b"z" * (2 << 20)) == ["a", "b"]


def test_a_hangup_is_noticed() -> None:
    reading, writing = os.pipe()
    thread = threading.Thread(target=wait_for_hangup, args=(writing,))
    thread.start()
    os.close(reading)
    thread.join(30)
    assert not thread.is_alive()
    os.close(writing)


def test_every_protocol_has_its_usual_game() -> None:
    assert {name: game_of(name, None) for name in PROTOCOLS} == {
        "uci": "chess", "gtp": "go", "gomocup": "gomoku", "nypc": "mushroom",
    }  # fmt: skip


def test_a_game_may_have_parameters() -> None:
    assert game_of("gtp", "go:size=13,komi=6.5") == "go:size=13,komi=6.5"
    assert game_of("uci", "microchess") == "microchess"


@pytest.mark.parametrize(
    ("protocol", "game"), [("uci", "go"), ("gtp", "chess"), ("gomocup", "othello"), ("nypc", "go")]
)
def test_a_protocol_does_not_speak_of_every_game(protocol: str, game: str) -> None:
    with pytest.raises(BadSettings, match=f"{protocol} speaks of .*, not of {game}"):
        game_of(protocol, game)

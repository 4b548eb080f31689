"""Native programs in the lock-down with one exec: a small C program, and Stockfish."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Ended, Fault, Late
from arena.entrants.engines import find_program
from arena.errors import UnknownAgent
from arena.process.channels import EngineProcess
from arena.sandbox.launch import Rules, Zygote

SOURCE = r"""
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void *idle(void *ignored) { pause(); return ignored; }

int main(int argc, char **argv) {
    char line[256];
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("ready %d\n", argc);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "open ", 5)) printf("open %s\n", open(line + 5, O_RDONLY) < 0 ? "refused" : "ok");
        else if (!strcmp(line, "socket")) printf("socket %d\n", socket(AF_INET, SOCK_STREAM, 0) >= 0);
        else if (!strcmp(line, "fork")) { if (!fork()) _exit(0); printf("forked\n"); }
        else if (!strcmp(line, "exec")) { execl("/bin/true", "true", NULL); printf("exec refused\n"); }
        else if (!strcmp(line, "threads")) {
            pthread_t thread; int made = 0;
            while (made < 100 && !pthread_create(&thread, NULL, idle, NULL)) made++;
            printf("threads %d\n", made);
        }
        else if (!strcmp(line, "memory")) printf("memory %s\n", malloc((size_t)8 << 30) ? "ok" : "refused");
        else if (!strcmp(line, "flood")) for (;;) fputc('x', stdout);
        else if (!strcmp(line, "error")) { fprintf(stderr, "on the error stream\n"); printf("said\n"); }
        else if (!strcmp(line, "quit")) return 3;
        else printf("echo %s\n", line);
    }
    return 0;
}
"""


@pytest.fixture(scope="session")
def echo(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("program")
    (folder / "echo.c").write_text(SOURCE)
    compiler = os.environ.get("CC") or shutil.which("cc") or "gcc"
    subprocess.run([compiler, "-O1", "-pthread", "-o", folder / "echo", folder / "echo.c"], check=True)
    return str(folder / "echo")


@pytest.fixture
def start(processes: Any) -> Iterator[Callable[..., EngineProcess]]:
    zygote = Zygote("microchess")
    running: list[EngineProcess] = []

    def run(
        *command: str, trusted: bool = False, read: tuple[str, ...] = (), rules: Rules | None = None
    ) -> EngineProcess:
        found = (str(find_program(command[0])), *command[1:])
        spawned = zygote.start_program(found, rules or Rules(), read=read, trusted=trusted)
        running.append(EngineProcess(spawned))
        return running[-1]

    yield run
    for program in running:
        program.close()
        assert not processes(program.pid).is_ours
    zygote.close()


def line(program: EngineProcess, said: str | None = None, *, seconds: float = 600.0) -> str:
    if said is not None:
        program.send(said)
    return program.receive(time.monotonic() + seconds)


def test_a_program_is_sent_lines_and_answers_with_lines(start: Callable[..., EngineProcess], echo: str) -> None:
    program = start(echo, "one", "two words")
    assert line(program) == "ready 3"
    assert line(program, "hello") == "echo hello"
    assert line(program, "error") == "said"
    assert line(program, "again") == "echo again"
    assert program.output() == "on the error stream\n"


@pytest.mark.parametrize(
    ("said", "rule", "words"),
    [
        ("open /etc/passwd", "file", "/etc/passwd"),
        ("open ../../../../../../etc/passwd", "file", "etc/passwd"),
        ("socket", "network", "socket"), ("threads", "threads", "more than 8 threads"),
        ("fork", "process", "clone"), ("exec", "process", "/bin/true"),
    ],
)  # fmt: skip
def test_a_program_that_breaks_a_rule_raises_its_fault(
    start: Callable[..., EngineProcess], echo: str, said: str, rule: str, words: str
) -> None:
    program = start(echo)
    line(program)
    with pytest.raises(Fault) as caught:
        line(program, said)
    assert caught.value.rule == rule
    assert words in caught.value.detail


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("open /etc/passwd", "open refused"),
        ("socket", "socket 0"),
        ("exec", "exec refused"),
        ("memory", "memory refused"),
    ],
)
def test_a_trusted_program_is_refused_the_same_calls_without_a_fault(
    start: Callable[..., EngineProcess], echo: str, said: str, answer: str
) -> None:
    program = start(echo, trusted=True)
    line(program)
    assert line(program, said) == answer
    assert line(program, "alive") == "echo alive"
    assert (said == "memory") == (program.refused() == "")


def test_a_program_can_read_the_granted_paths(start: Callable[..., EngineProcess], echo: str, tmp_path: Path) -> None:
    book = tmp_path / "book.bin"
    book.write_text("openings")
    program = start(echo, read=(str(tmp_path),))
    line(program)
    assert line(program, f"open {book}") == "open ok"
    assert line(program, "open /usr/share/doc") == "open ok"


def test_late_ended_and_endless_programs_are_distinguished(start: Callable[..., EngineProcess], echo: str) -> None:
    program = start(echo)
    line(program)
    with pytest.raises(Late):
        line(program, seconds=0.05)
    with pytest.raises(Ended):
        line(program, "quit")
    flood = start(echo)
    line(flood)
    with pytest.raises(Fault, match="more than 65536 bytes"):
        line(flood, "flood")


def test_scripts_and_unknown_programs_are_clear_errors(start: Callable[..., EngineProcess], tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text("#!/bin/sh\nexec stockfish\n")
    script.chmod(0o755)
    with pytest.raises(UnknownAgent, match="is a script"):
        start(str(script))
    with pytest.raises(UnknownAgent, match="program 'no-such-engine' not found"):
        start("no-such-engine")


def test_stockfish_plays_in_the_lock_down(start: Callable[..., EngineProcess]) -> None:
    engine = start("stockfish", rules=Rules(threads=32))
    engine.send("uci")
    while line(engine) != "uciok":
        pass
    engine.send("position startpos")
    engine.send("go nodes 2000")
    while not (said := line(engine)).startswith("bestmove"):
        pass
    assert len(said.split()[1]) >= 4

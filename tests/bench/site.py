"""The site under load: what viewers cost the games, what they see, how it ends. Writes results/site.json.

python -P tests/bench/site.py [NAME ...]     on loopback only; NAME is a measurement: games crowd cuts tabs fresh end
"""

import asyncio
import contextlib
import json
import os
import random
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from arena.referee.live_sheet import Sheet, open_sheet
from arena.referee.referee import Job, Turn
from games.base import load
from results.record import EntrantRecord, GameRecord, MoveRecord
from results.store.store import Store

OUT = Path(__file__).parent / "results" / "site.json"
AGENTS = ("alphabeta:nodes=40000", "uct:simulations=4000")
ROUNDS = 8
REPEATS = 3
GUARD_SECONDS = 600


@dataclass
class Site:
    """A running server in a folder of its own."""

    folder: Path
    process: subprocess.Popen[str]
    url: str

    @property
    def db(self) -> Path:
        return self.folder / "arena.db"

    @property
    def sheets(self) -> Path:
        return self.folder / "runtime" / "arena-games"

    def memory(self) -> float:
        """Resident memory in MB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return round(int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1024, 1)

    def cpu(self) -> float:
        """Seconds of CPU so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def environment(folder: Path) -> dict[str, str]:
    (folder / "runtime").mkdir(mode=0o700, exist_ok=True)
    return os.environ | {"XDG_RUNTIME_DIR": str(folder / "runtime"), "ARENA_HOME": str(folder / "home")}


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Site]:
    command = [sys.executable, "-P", "-m", "arena", "serve", "--port", "0", "--db", str(folder / "arena.db")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment(folder))
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        yield Site(folder, process, re.findall(r"http://[\d.:]+", said)[0])
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@dataclass
class Viewer:
    """What one viewer has received: the last event, and the turns of each game in the order they came."""

    last: str = ""
    turns: dict[str, list[int]] = field(default_factory=dict)
    resets: int = 0
    late: list[float] = field(default_factory=list)
    is_over: bool = False

    async def watch(self, url: str, *, stop_after: float = 0.0) -> None:
        """Read events until the stream ends; cut the connection after so many seconds."""
        host, port = urlsplit(url).netloc.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        again = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
        writer.write(f"GET /events HTTP/1.1\r\nHost: {host}\r\n{again}\r\n".encode())
        try:
            async with asyncio.timeout(stop_after or None):
                while line := await reader.readline():
                    self._hear(line.decode().strip())
        except (TimeoutError, ConnectionError):
            pass
        writer.close()

    def _hear(self, line: str) -> None:
        name, _, text = line.partition(": ")
        if name == "id":
            self.last = text
        elif name == "event":
            self.kind = text
        elif name == "data" and self.kind == "turn":
            frame = json.loads(text)
            number = int(re.findall(r"turn (\d+)", frame["caption"])[0])
            self.turns.setdefault(frame["id"], []).append(number)
            self.late.append(frame["age"])
        elif name == "data" and self.kind == "reset":
            self.resets += 1


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(name=name, agent=name, version="", hash=f"sha256:{name}", options={})


def job(number: int) -> Job:
    rules = load("go:size=19")
    return Job(
        league="cup", key=str(number), game=rules, first=entrant("ada"), second=entrant("bob"), seconds=100.0,
        start=rules.start().text, opening=(), seed=1, seed_first=2, seed_second=3,
    )  # fmt: skip


class Played:
    """Games that this process plays move by move, without agents: only their files matter here."""

    def __init__(self, site: Site, stack: contextlib.ExitStack, games: int) -> None:
        self.turns = 0
        self._site = site
        self._stack = stack
        self._new = [self._open(number) for number in range(games)]

    def _open(self, number: int) -> tuple[Sheet, Any]:
        made = job(number)
        sheet = self._stack.enter_context(open_sheet(made, results=str(self._site.db), folder=self._site.sheets))
        state = made.game.start()
        sheet.turn(Turn(state, None, {True: 100.0, False: 100.0}))
        return sheet, state

    def step(self) -> None:
        """One turn in every game."""
        for number, (sheet, state) in enumerate(self._new):
            if not state.is_game_over():
                move = state.legal_moves[0]
                made = state.forward(move)
                sheet.turn(Turn(made, str(move), {True: 99.0, False: 100.0}))
                self._new[number] = (sheet, made)
                self.turns += 1


def record(number: int) -> GameRecord:
    rules = load("microchess")
    move = MoveRecord(str(rules.start().legal_moves[0]), 0.5, 0.25, 0.1)
    return GameRecord(
        league="cup", key=f"r{number}", game=rules.name, parameters=dict(rules.parameters),
        game_version=rules.version, first=entrant("ada"), second=entrant("bob"), seconds=10.0,
        start=rules.start().text, opening=(), seed=1, seed_first=2, seed_second=3, moves=(move,), result="1-0",
        reason="turn-limit", detail="", fault=None, notes=(), output_first="", output_second="", sandbox="full",
        rules="python", host="box", versions={}, started="2026-05-09T12:00:00.000Z", ended="2026-05-09T12:00:01.000Z",
    )  # fmt: skip


@contextlib.contextmanager
def site_with_league() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store.open(folder / "arena.db", create=True) as store:
            settings = {"game": "microchess:turns=80", "format": "round-robin", "rounds": 500}
            entrants = [entrant(one) for one in ("ada", "bob")]
            store.create_league("cup", kind="league", settings=settings, secret="", entrants=entrants)
        with serving(folder) as site:
            yield site


async def crowd_of(url: str, number: int) -> tuple[list[Viewer], list["asyncio.Task[None]"]]:
    """So many viewers, each after its first event."""
    viewers = [Viewer() for _ in range(number)]
    tasks = [asyncio.create_task(viewer.watch(url)) for viewer in viewers]
    async with asyncio.timeout(GUARD_SECONDS):
        while not all(viewer.last for viewer in viewers):
            await asyncio.sleep(0.05)
    return viewers, tasks


def gone(tasks: list["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()


# ---- measurements


def games() -> dict[str, Any]:
    """Real games with and without 100 viewers, in turns: CPU of the whole league, CPU charged to players, moves."""
    command = [
        sys.executable, "-P", "-m", "arena", "league", *AGENTS, "--rounds", str(ROUNDS), "--opening-turns", "2",
        "--seed", "2026-with-twenty-letters", "--time", "600", "--workers", "1", "--name", "cup",
    ]  # fmt: skip
    costs: dict[bool, list[float]] = {False: [], True: []}
    played: dict[bool, list[float]] = {False: [], True: []}
    moves: list[list[str]] = []
    seen = 0

    async def watched(process: "subprocess.Popen[bytes]", url: str) -> int:
        viewers, tasks = await crowd_of(url, 100)
        while process.poll() is None:
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)
        gone(tasks)
        return min(sum(map(len, viewer.turns.values())) for viewer in viewers)

    for repeat in range(2 * REPEATS):
        is_watched = bool((repeat + repeat // 2) % 2)  # without, with, with, without ...
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            Store.open(folder / "arena.db", create=True).close()
            with serving(folder) if is_watched else contextlib.nullcontext() as site:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                process = subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)  # fmt: skip
                if site is not None:
                    seen = asyncio.run(watched(process, site.url))
                process.wait()
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
            costs[is_watched].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            with Store.read(folder / "arena.db") as store:
                records = sorted(store.records("cup"), key=lambda one: one.key)
            played[is_watched].append(sum(move.cpu for one in records for move in one.moves))
            moves.append([move.text for one in records for move in one.moves])
    ratio = statistics.median(costs[True]) / statistics.median(costs[False])
    own = statistics.median(played[True]) / statistics.median(played[False])
    return {
        "viewers": 100, "games": len(records), "turns": len(moves[0]), "turns_seen_by_the_slowest_viewer": seen,
        "cpu_seconds_without": [round(one, 2) for one in costs[False]],
        "cpu_seconds_with": [round(one, 2) for one in costs[True]],
        "slower_percent": round(100 * (ratio - 1), 1), "players_slower_percent": round(100 * (own - 1), 1),
        "moves_identical": all(one == moves[0] for one in moves),
    }  # fmt: skip


def crowd() -> dict[str, Any]:
    """A thousand viewers of whom one never reads: memory over time, and whether the others miss anything."""

    async def run(site: Site) -> dict[str, Any]:
        viewers, tasks = await crowd_of(site.url, 999)
        host, port = urlsplit(site.url).netloc.split(":")
        # One that has asked and reads nothing: its buffers fill, then the server must drop it.
        stalled = await asyncio.open_connection(host, int(port), limit=1)
        stalled[1].write(f"GET /events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        stalled[1].transport.pause_reading()  # type: ignore[attr-defined]
        found = [site.memory()]
        cpu, began = site.cpu(), time.monotonic()
        with contextlib.ExitStack() as stack:
            steps = Played(site, stack, 2)
            await asyncio.sleep(1.0)  # a turn that is there when the game is first seen comes with the game
            for _ in range(3):
                for _ in range(20):
                    steps.step()
                    await asyncio.sleep(1.0)
                found.append(site.memory())
            await until(lambda: all(sum(map(len, one.turns.values())) == steps.turns for one in viewers))
        turns = [sum(map(len, one.turns.values())) for one in viewers]
        late = sorted(age for one in viewers for age in one.late)
        used = (site.cpu() - cpu) / (time.monotonic() - began)
        stalled[1].close()
        gone(tasks)
        return {
            "viewers": 1000, "stalled": 1, "turns": steps.turns, "turns_seen_by_the_slowest_viewer": min(turns),
            "turns_seen_most": max(turns), "memory_mb_at_start_and_after_each_40_turns": found,
            "share_of_a_core": round(used, 3), "age_of_a_turn_when_sent_p50_s": round(late[len(late) // 2], 3),
            "age_of_a_turn_when_sent_p99_s": round(late[int(len(late) * 0.99)], 3),
        }  # fmt: skip

    with site_with_league() as site:
        return asyncio.run(run(site))


async def until(is_done: Callable[[], bool]) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(60):
            while not is_done():
                await asyncio.sleep(0.1)


def cuts() -> dict[str, Any]:
    """50 viewers whose connections are cut at random times; every one must see every turn once."""
    dice = random.Random(2026)

    async def fickle(viewer: Viewer, url: str) -> int:
        cut = 0
        while not viewer.is_over:
            await viewer.watch(url, stop_after=dice.uniform(0.2, 1.5))
            cut += 1
        await viewer.watch(url, stop_after=2.0)
        return cut

    async def run(site: Site) -> dict[str, Any]:
        viewers = [Viewer() for _ in range(50)]
        with contextlib.ExitStack() as stack:
            steps = Played(site, stack, 2)
            tasks = [asyncio.create_task(fickle(viewer, site.url)) for viewer in viewers]
            await until(lambda: all(viewer.last for viewer in viewers))
            for _ in range(40):
                steps.step()
                await asyncio.sleep(0.2)
            for viewer in viewers:
                viewer.is_over = True
            cut = sum(await asyncio.gather(*tasks))
        lost = doubled = 0
        for viewer in viewers:
            for seen in viewer.turns.values():
                doubled += len(seen) - len(set(seen))
                lost += 40 - len(set(seen))
            lost += 40 * (2 - len(viewer.turns))
        return {"viewers": 50, "turns": steps.turns, "cuts": cut, "lost": lost, "doubled": doubled}

    with site_with_league() as site:
        return asyncio.run(run(site))


def tabs() -> dict[str, Any]:
    """Eight tabs of one browser: each shows the last turn, and a ninth page still opens."""
    from playwright.sync_api import expect, sync_playwright

    with site_with_league() as site, contextlib.ExitStack() as stack, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context()
        steps = Played(site, stack, 1)
        opened, pages = [], []
        for _ in range(8):
            began = time.monotonic()
            page = context.new_page()
            page.goto(f"{site.url}/live", timeout=60_000)
            opened.append(round(time.monotonic() - began, 2))
            pages.append(page)
        steps.step()
        began = time.monotonic()
        for page in pages:
            expect(page.locator(".caption")).to_contain_text("turn 1", timeout=60_000)
        shown = round(time.monotonic() - began, 2)
        began = time.monotonic()
        pages[0].goto(f"{site.url}/games", timeout=60_000)
        ninth = round(time.monotonic() - began, 2)
        browser.close()
    return {"tabs": 8, "seconds_to_open": opened, "seconds_until_all_show_a_turn": shown, "next_page_seconds": ninth}


def fresh() -> dict[str, Any]:
    """How long after its commit a result stands on an open page; 20 results, some close together."""
    from playwright.sync_api import sync_playwright

    dice = random.Random(2026)
    waited = []
    with site_with_league() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{site.url}/league?name=cup")
        page.wait_for_timeout(1000)
        for number in range(1, 21):
            with Store.open(site.db, create=False) as store:
                store.add(record(number))
            began = time.monotonic()
            while f" {number} / " not in page.locator("#progress").inner_text():
                page.wait_for_timeout(5)
            waited.append(time.monotonic() - began)
            page.wait_for_timeout(dice.choice((0, 100, 300, 1500)))
        browser.close()
    waited.sort()
    return {"results": 20, "median_s": round(statistics.median(waited), 3), "most_s": round(waited[-1], 3)}


def end() -> dict[str, Any]:
    """Ctrl-C with 100 viewers, three times."""

    async def run(site: Site) -> float:
        _, tasks = await crowd_of(site.url, 100)
        with contextlib.ExitStack() as stack:
            Played(site, stack, 2).step()
            await asyncio.sleep(1)
            began = time.monotonic()
            site.process.send_signal(signal.SIGINT)
            while site.process.poll() is None:
                await asyncio.sleep(0.01)
            took = time.monotonic() - began
        gone(tasks)
        return round(took, 2)

    found = []
    for _ in range(3):
        with site_with_league() as site:
            found.append(asyncio.run(run(site)))
    return {"viewers": 100, "seconds": found}


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else 8192, hard))
    known = {one.__name__: one for one in (games, crowd, cuts, tabs, fresh, end)}
    kept = json.loads(OUT.read_text()) if OUT.exists() else {}
    for name in sys.argv[1:] or known:
        load_before = os.getloadavg()[0]
        found = {
            "date": datetime.now(UTC).date().isoformat(), "command": f"python -P tests/bench/site.py {name}",
            "load": round(load_before, 1), **known[name](),
        }  # fmt: skip
        kept[name] = found
        print(name, json.dumps(found, indent=1))
        OUT.write_text(json.dumps({one: kept[one] for one in known if one in kept}, indent=1) + "\n")


if __name__ == "__main__":
    main()

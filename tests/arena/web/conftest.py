"""The site served by a real process, records to show on it, and one browser for all tests."""

import http.client
import os
import random
import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.entrants.tokens import Role, Tokens
from arena.referee.live_sheet import Sheet, open_sheet
from arena.referee.referee import Job
from games.base import load
from results.record import ClaimRecord, EntrantRecord, FaultRecord, GameRecord, MoveRecord
from results.store.store import Store

HOSTILE = "</script><script>document.title='hit'</script><img src=x onerror=\"document.title='hit'\">'\"\u202e"
GUARD_SECONDS = 300
expect.set_options(timeout=1000 * GUARD_SECONDS)


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(name=name, agent=name, version="", hash=f"sha256:{name}", options={})


def record(key: str, first: str, second: str, game: str = "microchess", **changes: object) -> GameRecord:
    """A game of six moves, each the first that is legal."""
    rules = load(game)
    state, moves = rules.start(), []
    for _ in range(6):
        moves.append(MoveRecord(str(state.legal_moves[0]), 0.5, 0.25, 0.125))
        state = state.forward(state.legal_moves[0])
    values: dict[str, object] = {
        "league": "cup", "key": key, "game": rules.name, "parameters": dict(rules.parameters),
        "game_version": rules.version, "first": entrant(first), "second": entrant(second), "seconds": 10.0,
        "start": rules.start().text, "opening": (), "seed": 1, "seed_first": 2, "seed_second": 3,
        "moves": tuple(moves), "result": "1-0", "reason": "turn-limit", "detail": "", "fault": None, "notes": (),
        "output_first": "", "output_second": "", "sandbox": "full", "rules": "python", "host": "box", "versions": {},
        "started": "2026-05-09T12:00:00.000Z", "ended": "2026-05-09T12:00:01.000Z",
    }  # fmt: skip
    return GameRecord(**values | changes)  # type: ignore[arg-type]


def long_game() -> GameRecord:
    """A game of Go of 320 turns with a claim about each of them, and hostile evidence."""
    rules, dice = load("go:size=19"), random.Random(1)
    state, texts = rules.start(), []
    for _ in range(320):
        texts.append(str(dice.choice([move for move in state.legal_moves if str(move) != "pass"])))
        state = state.forward(state.parse(texts[-1]))
    claims = tuple(
        ClaimRecord(turn, round(dice.random(), 3), 5, 1000, tuple(texts[turn - 1 : turn + 7]),
                    tuple((text, 0.1) for text in texts[turn - 1 : turn + 4]))
        for turn in range(1, 321)
    )  # fmt: skip
    evil = {"traceback": HOSTILE * 200, "stderr": HOSTILE * 40}
    return record(
        "1", "ada", HOSTILE, game="go:size=19", league="long", moves=tuple(MoveRecord(text, 0.5) for text in texts),
        claims=claims, fault=FaultRecord("first", "exception", HOSTILE * 50, evil, "act", 321), reason="fault",
        result="0-1", output_first=HOSTILE * 40, output_second=HOSTILE * 40,
    )  # fmt: skip


def fill(db: Path) -> None:
    names = ["ada", "bob", HOSTILE]
    fault = FaultRecord("second", "exception", HOSTILE, {"traceback": HOSTILE, "stderr": HOSTILE}, "act", 7)
    with Store.open(db, create=True) as store:
        settings = {"game": "microchess:turns=80", "format": "round-robin", "rounds": 2}
        entrants = [entrant(name) for name in names]
        store.create_league("cup", kind="league", settings=settings, secret="", entrants=entrants)
        store.add(record("1", "ada", "bob"))
        store.add(record("2", "bob", "ada", result="1/2-1/2"))
        store.add(record("3", "ada", HOSTILE, fault=fault, reason="fault", output_second=HOSTILE))
        settings = {"game": "go:size=19", "format": "round-robin", "rounds": 1, "reports": True}
        store.create_league("long", kind="league", settings=settings, secret="", entrants=entrants[::2])
        store.add(long_game())
    news = db.with_name(f"{db.name}.announcements")
    news.mkdir()
    (news / "cup.md").write_text(f"# Friday\n\nThe **final** is [here](/live).\n\n{HOSTILE}\n")
    (news / "welcome.md").write_text("Welcome to <b>the course</b>\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n")


@dataclass(frozen=True)
class Site:
    """A running server, the results file that it shows, the folder of running games that it watches,
    and what it said when it was ready."""

    url: str
    db: Path
    folder: Path
    process: subprocess.Popen[str]
    said: str

    def get(self, path: str, **headers: str) -> tuple[int, str, dict[str, str]]:
        """Status, text and headers of an answer; `method` is another method than GET."""
        return self.ask(headers.pop("method", "GET"), path, headers=headers)

    def token(self, name: str, *, role: Role = "participant") -> str:
        """A new token for somebody."""
        return Tokens(self.home).make(name, role=role, date="2026-05-09T12:00:00.000Z")

    @property
    def home(self) -> Path:
        """Its folder of submitted agents."""
        return self.db.parent / "home"

    def post(
        self, path: str, body: bytes | str = b"", *, token: str | None = None, **headers: str
    ) -> tuple[int, str, dict[str, str]]:
        """Write as a page of the site does, or with a token as a program does."""
        own = {"Origin": self.url} if token is None else {"Authorization": f"Bearer {token}"}
        return self.ask("POST", path, body, headers=own | headers)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, *, headers: dict[str, str]
    ) -> tuple[int, str, dict[str, str]]:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=GUARD_SECONDS)
        connection.request(method, path, body, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, dict(answer.getheaders())

    @contextmanager
    def game(self, *, second: str = "bob", game: str = "microchess") -> Iterator[tuple[Sheet, Job]]:
        """A game that this process plays."""
        rules = load(game)
        job = Job(
            league="cup", key="9", game=rules, first=entrant("ada"), second=entrant(second), seconds=10.0,
            start=rules.start().text, opening=(), seed=1, seed_first=2, seed_second=3,
        )  # fmt: skip
        with open_sheet(job, results=str(self.db.resolve()), folder=self.folder) as sheet:
            yield sheet, job


@contextmanager
def _serving(folder: Path, *arguments: str) -> Iterator[Site]:
    """Serve a results file in this folder, with more arguments for `arena serve`; it is made unless it is there."""
    if not (folder / "arena.db").exists():
        fill(folder / "arena.db")
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "arena", "serve", "--port", "0", *arguments], cwd=folder, stderr=subprocess.PIPE,
        text=True, env=os.environ | {"XDG_RUNTIME_DIR": str(runtime), "ARENA_HOME": str(folder / "home")},
    )  # fmt: skip
    assert process.stderr is not None
    said = ""
    try:
        while (address := re.search(r"^(http://[\d.]+:\d+)/ shows arena.db", said, re.MULTILINE)) is None:
            ready, _, _ = select.select([process.stderr], [], [], GUARD_SECONDS)
            assert ready
            # Not readline: it would keep a second line where select does not see it.
            got = os.read(process.stderr.fileno(), 10_000).decode()
            said += got
            assert got, said
        url = address[1].replace("0.0.0.0", "127.0.0.1")
        yield Site(url, folder / "arena.db", runtime / "arena-games", process, said)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.fixture(scope="session")
def hostile() -> str:
    """A name that would run as a script if it were not escaped."""
    return HOSTILE


@pytest.fixture(scope="session")
def game_record() -> Callable[..., GameRecord]:
    """A record to store, as a function of its key and its players."""
    return record


@pytest.fixture(scope="session")
def serving() -> Callable[..., AbstractContextManager[Site]]:
    """Serve a site in a folder, as a context manager."""
    return _serving


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all tests of a module; agents can be handed in."""
    with _serving(tmp_path_factory.mktemp("site"), "--allow-submissions", "--most-bytes", "100000") as found:
        yield found


@pytest.fixture
def browse(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open an address; nothing may go wrong in a page, and nothing may be asked of another origin."""
    wrong: list[str] = []
    asked: list[tuple[str, str]] = []
    contexts = []

    def make(url: str, **how: object) -> Page:
        context = browser.new_context(**how)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * GUARD_SECONDS)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: asked.append((url, request.url)))
        page.goto(url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert wrong == []
    assert [other for url, other in asked if urlsplit(other).netloc != urlsplit(url).netloc] == []


@pytest.fixture
def visit(browse: Callable[..., Page], site: Site) -> Callable[..., Page]:
    """Open a page of the site of this module."""
    return lambda path, **how: browse(site.url + path, **how)

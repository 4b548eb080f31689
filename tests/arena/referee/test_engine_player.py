"""The player of an engine: real programs that play, misbehave, are started again and kept."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.entrants.entrant import Entrant, fitted, resolve
from arena.errors import Void
from arena.process.charge import Charge
from arena.referee.engine_player import RETRIES, EnginePlayer
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.referee.scripted_player import ScriptedPlayer
from arena.referee.task import GameTask
from arena.sandbox.launch import Rules
from results.record import ClaimRecord, GameRecord

ENGINE = Path(__file__).parents[2] / "faulty" / "json_engine.py"
GAME = "microchess:turns=12"


def engine(*faults: str, trusted: bool = False) -> str:
    words = " ".join(("/usr/bin/python3", "-I", str(ENGINE), *faults))
    return f'json:command="{words}"{",trusted=yes" if trusted else ""}'


class Table:
    """Games of one engine, as first, against a script."""

    def __init__(self, players: ProcessPlayers, job: Callable[..., Job], home: Path) -> None:
        self._players = players
        self._job = job
        self._home = home
        self.pids: list[int] = []

    def seat(self, entrant: Entrant, *, startup: float = 600.0, charge: Charge = "wall") -> EnginePlayer:
        return EnginePlayer(entrant, self._players._pool, charge=charge, startup=startup)

    def play(self, text: str, *, seconds: float = 600.0, startup: float = 600.0, charge: Charge = "wall") -> GameRecord:
        job = self._job(GAME, seconds=seconds)
        entrant = fitted(resolve(text, home=self._home), job.game)
        player = self.seat(entrant, startup=startup, charge=charge)
        clock = Clock(seconds, charge=charge)
        record = play(job, {"first": player, "second": ScriptedPlayer()}, clock, sandbox=self._players.level)
        if record.versions.get("first", "").startswith("engine "):
            self.pids.append(int(record.versions["first"].split()[1]))
        return record


@pytest.fixture
def table(job: Callable[..., Job], tmp_path: Path, processes: Any) -> Iterator[Table]:
    with opened(job, tmp_path, Rules()) as found:
        yield found
    assert not [pid for pid in found.pids if processes(pid).is_ours]


@contextmanager
def opened(job: Callable[..., Job], home: Path, rules: Rules | None) -> Iterator[Table]:
    with ProcessPlayers(Setup(job(GAME).game, rules, home=home)) as players:
        yield Table(players, job, home)


def test_an_engine_plays_a_game_and_is_named_in_the_record(table: Table, processes: Any) -> None:
    record = table.play(engine())
    assert record.fault is None
    assert record.reason == "turn-limit"
    assert record.versions["first"] == f"engine {table.pids[0]}"
    assert all(move.wall > 0 for move in record.moves[::2])
    assert not processes(table.pids[0]).is_ours


@pytest.mark.parametrize(
    ("how", "rule", "words"),
    [
        ("exit=0", "exit", "exit status 7"), ("exit=3", "exit", "exit status 7"),
        ("illegal=2", "illegal-move", "z9z9"),
        ("nonsense=0", "protocol", ""), ("nonsense=1", "protocol", ""), ("number=1", "protocol", ""),
        ("nested=2", "protocol", ""), ("flood=1", "protocol", "65536 bytes"),
        ("read=2", "file", "/etc/passwd"), ("fork=2", "process", ""), ("connect=1", "network", "socket"),
    ],
)  # fmt: skip
def test_an_engine_that_breaks_a_rule_loses(table: Table, how: str, rule: str, words: str) -> None:
    record = table.play(engine(how))
    assert record.fault is not None
    assert (record.result, record.fault.rule) == ("0-1", rule)
    assert words in record.fault.detail
    assert "\x1b" not in str(record)


@pytest.mark.parametrize("how", ["hang=2", "ponder=1"])  # one that ponders is frozen, and still busy when asked
def test_an_engine_that_never_answers_loses_on_time(table: Table, how: str) -> None:
    record = table.play(engine(how), seconds=0.5)
    assert record.fault is not None
    assert record.fault.rule == "time"


def test_an_engine_that_sends_lines_without_a_move_loses_on_time(table: Table) -> None:
    chatterer = Path(__file__).parents[2] / "faulty" / "chatterer.py"
    record = table.play(f'uci:command="/usr/bin/python3 -I {chatterer}"', seconds=0.5)
    assert record.fault is not None
    assert record.fault.rule == "time"


@pytest.mark.parametrize(("size", "rule"), [(60_000, ""), (70_000, "protocol"), (130_000, "protocol")])
def test_a_line_that_is_too_long_is_a_fault_however_it_arrives(table: Table, size: int, rule: str) -> None:
    record = table.play(engine(f"long={size}"))
    assert (record.fault.rule if record.fault is not None else "") == rule


def test_an_engine_that_closes_its_output_breaks_the_rule_exit(table: Table) -> None:
    record = table.play(engine("mute=2"))
    assert record.fault is not None
    assert record.fault.rule == "exit"


def test_a_replaced_program_voids_the_games_of_its_engine(job: Callable[..., Job], tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copy("/usr/games/toga2", program)
    with opened(job, tmp_path, Rules()) as table:
        made = job(GAME)
        entrant = fitted(resolve(f"uci:command={program}", home=tmp_path), made.game)
        program.unlink()
        shutil.copy("/usr/games/gnuchess", program)
        player = table.seat(entrant)
        with pytest.raises(Void, match="changed or replaced"):
            player.open(made.game, made.game.first, start=made.start, seed=1)
        program.unlink()
        with pytest.raises(Void, match="cannot be read"):
            player.open(made.game, made.game.first, start=made.start, seed=1)


def test_the_same_program_in_another_file_plays(job: Callable[..., Job], tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copy("/usr/games/toga2", program)
    with opened(job, tmp_path, Rules()) as table:
        made = job("chess")
        entrant = fitted(resolve(f"uci:command={program}", home=tmp_path), made.game)
        program.unlink()
        shutil.copy("/usr/games/toga2", program)
        player = table.seat(entrant)
        player.open(made.game, made.game.first, start=made.start, seed=1)
        assert player.close() is None


def test_an_engine_that_takes_too_long_to_start_loses(table: Table) -> None:
    record = table.play(engine("hang=0"), startup=0.3)
    assert record.fault is not None
    assert record.fault.rule == "startup"


def test_an_engine_has_a_memory_limit(table: Table) -> None:
    record = table.play(engine("memory=1").replace("json:", "json:memory=256M,"))
    assert record.fault is not None
    assert record.fault.rule in ("memory", "exit")  # Python ends itself when it is refused memory


@pytest.mark.parametrize("how", ["exit=2", "illegal=2", "nonsense=3"])
def test_a_trusted_engine_that_fails_is_asked_again(table: Table, how: str) -> None:
    record = table.play(engine(how, trusted=True))
    assert record.fault is None
    assert record.turns == 12
    assert record.notes
    assert {(note.player, note.phase) for note in record.notes} == {("first", "act")}
    assert all(note.turn in range(1, 13) and "started again after: " in note.detail for note in record.notes)


def test_a_trusted_engine_is_asked_again_also_when_little_time_is_left(table: Table) -> None:
    # Every start costs some of it: on a busy machine only what it computes is charged.
    record = table.play(engine("exit=2", trusted=True), seconds=3.0, charge="fair")
    assert record.fault is None
    assert record.notes


def test_a_trusted_engine_that_fails_every_time_loses(table: Table) -> None:
    record = table.play(engine("exit=1", trusted=True))
    assert record.fault is not None
    assert record.fault.rule == "exit"
    assert len(record.notes) == RETRIES


def test_a_trusted_engine_that_ends_while_starting_is_started_again(table: Table) -> None:
    record = table.play(engine("exit=0", trusted=True))
    assert record.fault is not None
    assert record.fault.rule == "exit"
    assert [(note.phase, note.detail) for note in record.notes] == [
        ("load", "started again after: exit status 7")
    ] * RETRIES


def test_a_trusted_engine_that_hangs_is_started_again_within_the_budget(table: Table) -> None:
    record = table.play(engine("hang=2", trusted=True), seconds=9.0)
    assert record.seconds_first < 2 * 9.0  # no second budget for the second start
    assert record.notes
    assert record.notes[0].rule == "time"
    assert (record.notes[0].phase, record.notes[0].turn) == ("act", 3)
    assert record.notes[0].detail == "started again after: no answer in time"
    assert record.fault is not None  # every second move of a process hangs: sooner or later the time is used up
    assert record.fault.rule == "time"


def test_a_trusted_engine_is_kept_for_the_next_game_and_others_are_not(table: Table) -> None:
    for _ in range(3):
        assert table.play(engine(trusted=True)).fault is None
    assert len(set(table.pids)) == 1
    for _ in range(2):
        assert table.play(engine()).fault is None
    assert len(set(table.pids)) == 3


def test_a_kept_engine_that_ended_between_two_games_is_replaced_without_a_note(table: Table) -> None:
    assert table.play(engine(trusted=True)).fault is None
    os.kill(table.pids[0], 9)
    record = table.play(engine(trusted=True))
    assert record.fault is None
    assert not record.notes
    assert len(set(table.pids)) == 2


def test_engines_play_unconfined_where_agents_are_trusted(
    job: Callable[..., Job], tmp_path: Path, processes: Any
) -> None:
    with opened(job, tmp_path, None) as table:
        record = table.play(engine())
        assert record.fault is None
        assert record.sandbox == "none"
    assert not processes(table.pids[0]).is_ours


def test_what_an_engine_thinks_is_reported_and_stored_and_changes_nothing(
    job: Callable[..., Job], tmp_path: Path
) -> None:
    talker = Path(__file__).parents[2] / "faulty" / "uci_talker.py"
    asked = job("chess:turns=4", seconds=600.0)
    first = fitted(resolve(f'uci:command="/usr/bin/python3 -I {talker}"', home=tmp_path), asked.game)
    second = resolve("random", home=tmp_path)
    heard: list[object] = []
    with ProcessPlayers(Setup(asked.game, Rules(), home=tmp_path)) as players:
        records = [
            GameTask(
                job=asked, first=first, second=second, charge="wall", reports=reports,
                hear=lambda seat, report: heard.append((seat, report)),
            ).perform(players)
            for reports in (False, True)
        ]  # fmt: skip
    silent, talking = records
    assert [move.text for move in silent.moves] == [move.text for move in talking.moves]
    assert (silent.claims, talking.fault) == ((), None)
    assert talking.claims == (ClaimRecord(1, 0.6401, 8, 1234, ("e2e4",)), ClaimRecord(3, 0.6401, 8, 1234, ("d2d4",)))
    assert 2 <= len(heard) < 200

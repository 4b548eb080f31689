"""The player of an agent: its measurements, its requests and its end; and the meter."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.child import DONE
from agents.seat import Fault, History, Late, Times
from arena.entrants.entrant import resolve
from arena.entrants.staging import stage_of
from arena.errors import Starved
from arena.process.charge import charged
from arena.process.child_process import Meter
from arena.process.spawned_process import start_unconfined_agent
from arena.referee import agent_player as seat_module
from arena.referee.agent_player import AgentPlayer
from arena.referee.referee import Job
from games.base import WHITE, load

GAME = load("microchess")
TIMES = Times(own=20.0, opponent=20.0, opponent_last_move=0.0)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[str], AgentPlayer]:
    def make(agent: str) -> AgentPlayer:
        entrant = resolve(agent, home=tmp_path / "home")
        staged = stage_of(entrant.hash, home=tmp_path / "home")
        stage = staged.folder if staged is not None else None
        player = AgentPlayer(entrant, start_unconfined_agent, stage=stage)
        player.open(GAME, WHITE, start=GAME.start().text, seed=1)
        return player

    return make


def history(*moves: str) -> History:
    state = GAME.start()
    for text in moves:
        state = state.forward(state.parse(text))
    return History(GAME.start().text, moves, state)


def test_an_answer_comes_with_its_cost(opened: Callable[[str], AgentPlayer]) -> None:
    player = opened("mcts:simulations=50")
    answer = player.ask(history(), TIMES)
    assert player.close() is None
    assert GAME.start().parse(answer.text)
    assert answer.cpu > 0
    assert answer.wall > 0
    assert 0 <= answer.wait <= 2 * answer.wall + 0.05  # of the player and of the referee, who may wait both at once


def agent_file(folder: Path, head: str, *act: str) -> str:
    """The file of an agent: a line before its class, and the lines of its method `act`."""
    lines = [head, "from agents import BaseAgent", "class Mine(BaseAgent):", "    def act(self, state):"]
    path = folder / "mine.py"
    path.write_text("\n".join([*lines, *(f"        {line}" for line in act)]) + "\n")
    return str(path)


def test_time_spent_sleeping_is_wall_time_but_not_cpu_time(
    opened: Callable[[str], AgentPlayer], tmp_path: Path
) -> None:
    player = opened(agent_file(tmp_path, "import time", "time.sleep(0.2)", "return state.legal_moves[0]"))
    answer = player.ask(history(), TIMES)
    player.close()
    assert answer.wall >= 0.2 > answer.cpu


def test_an_agent_gets_all_moves_and_a_new_process_for_each_game(
    opened: Callable[[str], AgentPlayer], tmp_path: Path
) -> None:
    agent = agent_file(tmp_path, "SEEN = []", "SEEN.append(1)", "return f'{len(SEEN)} {len(state.move_stack)}'")
    for _ in range(2):
        player = opened(agent)
        assert player.ask(history(), TIMES).text == "1 0"
        assert player.ask(history("c1d3", "b5a3"), TIMES).text == "2 2"
        player.close()


class Gone(Exception):
    """Used instead of KeyboardInterrupt, which would stop pytest."""


def test_a_player_interrupted_while_it_thinks_is_not_asked_to_close(
    opened: Callable[[str], AgentPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = opened("random")
    asked: list[str] = []

    def interrupted(_: object, verb: str, *_words: object) -> bytes:
        asked.append(verb)
        raise Gone

    monkeypatch.setattr(seat_module.AgentProcess, "send", interrupted)
    with pytest.raises(Gone):
        player.ask(history(), TIMES)
    assert player.close() is None
    assert asked == ["act"]


def test_an_answer_of_the_wrong_kind_is_a_fault(
    opened: Callable[[str], AgentPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = opened("random")
    monkeypatch.setattr(seat_module.AgentProcess, "receive", lambda *_, **__: (DONE, ""))
    with pytest.raises(Fault, match="wrong kind of message"):
        player.ask(history(), TIMES)
    assert player.close() is None


def test_closing_is_harmless_before_opening_and_after_closing(
    opened: Callable[[str], AgentPlayer], tmp_path: Path
) -> None:
    unopened = AgentPlayer(resolve("random", home=tmp_path / "home"), start_unconfined_agent)
    assert unopened.close() is None
    assert unopened.output() == ""
    player = opened("random")
    assert player.close() is None
    assert player.close() is None


def test_prints_of_an_agent_are_kept(opened: Callable[[str], AgentPlayer], tmp_path: Path) -> None:
    agent = tmp_path / "talks.py"
    agent.write_text(
        "import sys\nfrom agents import BaseAgent\nclass Talks(BaseAgent):\n"
        "    def act(self, state):\n        print('thinking')\n        sys.stderr.write('hard\\n')\n"
        "        return state.legal_moves[0]\n"
    )
    player = opened(str(agent))
    player.ask(history(), TIMES)
    player.close()
    assert player.output() == "thinking\nhard\n"


def test_the_environment_of_an_agent_has_no_variable_of_the_user(
    contest: Callable[..., Any], job: Callable[..., Job], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    agent = tmp_path / "spies.py"
    agent.write_text(
        "import os\nfrom agents import BaseAgent\nclass Spies(BaseAgent):\n"
        "    def act(self, state):\n        print(sorted(os.environ))\n        return state.legal_moves[0]\n"
    )
    record = contest(str(agent), "random", game="microchess:turns=1")
    assert "PYTHONHASHSEED" in record.output_first
    assert "SECRET_TOKEN" not in record.output_first


class Withheld:
    """A fake process that gets a share of the CPU and waits the rest of the time, with its own clock."""

    def __init__(self, *, share: float) -> None:
        self.time = 0.0
        self._share = share

    def now(self) -> float:
        return self.time

    def cpu(self) -> float:
        return self.time * self._share

    def waits(self) -> dict[str, float]:
        return {"": self.time * (1 - self._share)}

    def queued(self) -> dict[str, str]:
        return {}

    def referee_wait(self) -> float:
        return 0.0


class Waiting(Withheld):
    """A fake process that ran for a while and has waited since; the wait is known when it has ended."""

    def __init__(self, *, ran: float, runs_again: float) -> None:
        super().__init__(share=1.0)
        self._ran, self._again = ran, runs_again

    def cpu(self) -> float:
        return min(self._ran, self.time) + max(0.0, self.time - self._again)

    def waits(self) -> dict[str, float]:
        return {"": self._again - self._ran if self.time >= self._again else 0.0}

    def queued(self) -> dict[str, str]:
        return {"7": f"{self.cpu()}"}


def meter(process: Withheld, charge: Any) -> Any:
    return Meter(process, charge, process.now)  # type: ignore[arg-type]


def test_time_that_the_machine_withheld_is_added_to_the_deadline() -> None:
    process = Withheld(share=0.5)
    fair = meter(process, "fair")
    process.time = 2.0
    assert fair.deadline(2.0) == 3.0
    process.time = 3.0
    assert fair.deadline(2.0) == 3.5
    process.time = 4.0
    with pytest.raises(Late):
        fair.deadline(2.0)


def test_a_wait_that_has_not_ended_is_not_charged_either() -> None:
    process = Waiting(ran=0.5, runs_again=4.0)
    fair = meter(process, "fair")
    for process.time in (2.0, 3.0, 3.9):  # 2 s have passed, and the machine has not run it for 1.5 s and more
        assert process.time < fair.deadline(2.0) < process.time + 0.1
    process.time = 4.1
    assert fair.deadline(2.0) == pytest.approx(4.1 + 2.0 - 0.6, abs=0.1)
    process.time = 6.0
    with pytest.raises(Late):
        fair.deadline(2.0)


def test_a_wait_that_does_not_end_is_void() -> None:
    process = Waiting(ran=0.5, runs_again=100.0)
    fair = meter(process, "fair")
    process.time = 10.0
    assert fair.deadline(2.0) < 10.1
    process.time = 11.0
    with pytest.raises(Starved):
        fair.deadline(2.0)


def test_the_cpu_time_alone_makes_an_answer_late_whoever_waits() -> None:
    process = Waiting(ran=2.0, runs_again=100.0)
    process.queued = lambda: {"7": "the same"}  # type: ignore[method-assign]
    fair = meter(process, "fair")
    process.time = 2.5
    with pytest.raises(Late):
        fair.deadline(2.0)


def test_time_in_which_the_referee_itself_had_to_wait_is_not_charged() -> None:
    process = Withheld(share=1.0)
    fair = meter(process, "fair")
    process.time, process.referee_wait = 2.0, lambda: 1.5  # type: ignore[method-assign]
    process.cpu = lambda: 0.5  # type: ignore[method-assign]
    answer = fair.answer("d2d3")
    assert charged("fair", wall=answer.wall, cpu=answer.cpu, wait=answer.wait) == 0.5


def test_a_process_that_hardly_ran_is_starved() -> None:
    process = Withheld(share=0.01)
    fair = meter(process, "fair")
    process.time = 10.9
    assert fair.deadline(2.0) == 11.0
    process.time = 11.0
    with pytest.raises(Starved):
        fair.deadline(2.0)


@pytest.mark.parametrize(
    ("charge", "share", "elapsed"),
    [
        pytest.param("wall", 0.5, 2.0, id="withheld time by the wall clock"),
        pytest.param("fair", 4.0, 0.5, id="all CPU time of many busy threads"),
    ],
)
def test_charged_time_makes_an_answer_late(charge: str, share: float, elapsed: float) -> None:
    process = Withheld(share=share)
    clock = meter(process, charge)
    process.time = elapsed
    with pytest.raises(Late):
        clock.deadline(2.0)

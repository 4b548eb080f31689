"""The text of NYPC's protocol: what the judge writes, a program reads."""

import pytest

from agents.external.nypc_syntax import (
    Finish,
    Init,
    Message,
    OpponentMove,
    Ready,
    TimeToMove,
    milliseconds,
    read_corners,
    read_message,
)

MESSAGES = [
    Ready(is_first=True), Ready(is_first=False), Init(("5519", "1191")), TimeToMove(9876, 8500),
    OpponentMove("0 2 0 3", 250), OpponentMove("-1 -1 -1 -1", 0), Finish(),
]  # fmt: skip


@pytest.mark.parametrize("message", MESSAGES, ids=str)
def test_a_message_that_is_written_is_read(message: Message) -> None:
    assert read_message(str(message)) == message


@pytest.mark.parametrize(
    "line", ["", "READY", "READY THIRD", "TIME 1", "TIME 1 2 3", "TIME x 1", "OPP 0 0 0 1", "hello"]
)
def test_other_lines_are_not_messages(line: str) -> None:
    assert read_message(line) is None


@pytest.mark.parametrize(
    ("line", "corners"),
    [("0 0 1 2", [0, 0, 1, 2]), (" -1\t-1 -1 -1 ", [-1] * 4), ("0 0 1", None), ("0 0 1 2 3", None), ("", None)],
)
def test_a_move_is_four_numbers(line: str, corners: list[int] | None) -> None:
    assert read_corners(line) == corners


def test_times_are_whole_milliseconds_and_finite() -> None:
    assert [milliseconds(seconds) for seconds in (9.8765, 0.0, float("inf"))] == [9876, 0, 1_000_000_000]

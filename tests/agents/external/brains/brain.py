"""A Gomocup brain: completes five, blocks five, else plays beside stones; an argument makes it lose commands.

`forgetful` loses every fourth `TURN` or `BEGIN`; `absent` answers it only when the next line comes, and then that too.
"""

import re
import sys
from collections.abc import Iterator

MANNER = (*sys.argv[1:], "")[0]
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


def commands() -> Iterator[str]:
    asked = 0
    waiting: list[str] = []
    for line in map(str.strip, sys.stdin):
        if waiting:
            yield waiting.pop()
        if line.startswith(("TURN", "BEGIN")):
            asked += 1
            if asked % 4 == 0 and MANNER:
                waiting = [line] if MANNER == "absent" else []
                continue
        yield line


def run(stones: dict[tuple[int, int], int], x: int, y: int, owner: int) -> int:
    """The length of the longest line through this point."""
    best = 0
    for dx, dy in LINES:
        count = 1
        for sign in (1, -1):
            step = sign
            while stones.get((x + step * dx, y + step * dy)) == owner:
                count, step = count + 1, step + sign
        best = max(best, count)
    return best


def choice(stones: dict[tuple[int, int], int], size: int) -> tuple[int, int]:
    free = [(x, y) for y in range(size) for x in range(size) if (x, y) not in stones]

    def value(place: tuple[int, int]) -> tuple[int, ...]:
        own, other = run(stones, *place, 1), run(stones, *place, 2)
        return own >= 5, other >= 5, own + other, -sum(abs(2 * at - size + 1) for at in place)

    return max(free, key=value)


class Brain:
    def __init__(self) -> None:
        self.size = 0
        self.stones: dict[tuple[int, int], int] = {}

    def answer(self, word: str, rest: str) -> str:
        """The reply to a command; empty for most commands."""
        if re.fullmatch(r"\d+,\d+,[12]", word):
            x, y, owner = map(int, word.split(","))
            self.stones[x, y] = owner
            return ""
        react = getattr(self, f"on_{word.lower()}", None)
        return "UNKNOWN" if react is None else react(rest)

    def on_start(self, rest: str) -> str:
        self.size, self.stones = int(rest), {}
        return "OK"

    def on_about(self, rest: str) -> str:
        return 'name="Neighbour", version="1.2", author="us", country="nowhere"'

    def on_info(self, rest: str) -> str:
        return ""

    def on_board(self, rest: str) -> str:
        self.stones = {}
        return ""

    def on_turn(self, rest: str) -> str:
        x, y = map(int, rest.split(","))
        if (x, y) in self.stones:
            return "ERROR there is a stone"
        self.stones[x, y] = 2
        return self.on_begin("")

    def on_begin(self, rest: str) -> str:
        place = choice(self.stones, self.size)
        self.stones[place] = 1
        return f"MESSAGE thinking\n{place[0]},{place[1]}"

    def on_done(self, rest: str) -> str:
        return self.on_begin("")


def main() -> None:
    brain = Brain()
    for line in commands():
        word, _, rest = line.partition(" ")
        if word == "END":
            return
        if answer := brain.answer(word, rest):
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()


main()

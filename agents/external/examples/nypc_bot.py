"""Takes the largest rectangle at hand: a program for the official Mushroom protocol, in plain Python.

arena play 'nypc:command="/usr/bin/python3 nypc_bot.py"' random --game mushroom
"""

# ruff: noqa: T201 - it answers by printing

PASS = (-1, -1, -1, -1)


def largest(board: list[list[int]]) -> tuple[int, int, int, int]:
    """The largest rectangle whose digits sum to ten and whose four sides each hold one; a pass if there is none."""
    best, most = PASS, 0
    corners = [(row, column) for row in range(len(board)) for column in range(len(board[0]))]
    for top, left in corners:
        for bottom in range(top, len(board)):
            for right in range(left, len(board[0])):
                inside = [row[left : right + 1] for row in board[top : bottom + 1]]
                total, size = sum(map(sum, inside)), len(inside) * len(inside[0])
                if total > 10:
                    break
                sides = (inside[0], inside[-1], [row[0] for row in inside], [row[-1] for row in inside])
                if total == 10 and size > most and all(map(any, sides)):
                    best, most = (top, left, bottom, right), size
    return best


def take(board: list[list[int]], taken: tuple[int, ...]) -> None:
    """Empty the cells of a rectangle."""
    top, left, bottom, right = taken
    if taken != PASS:
        for row in board[top : bottom + 1]:
            row[left : right + 1] = [0] * (right + 1 - left)


def main() -> None:
    """Answer line by line until FINISH."""
    board: list[list[int]] = []
    while (words := input().split())[0] != "FINISH":
        if words[0] == "READY":
            print("OK", flush=True)
        elif words[0] == "INIT":
            board = [[int(digit) for digit in row] for row in words[1:]]
        elif words[0] == "OPP":
            take(board, tuple(map(int, words[1:5])))
        elif words[0] == "TIME":
            move = largest(board)
            take(board, move)
            print(*move, flush=True)


if __name__ == "__main__":
    main()

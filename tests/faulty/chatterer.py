"""A UCI engine that sends lines without end when it is asked for a move. Run by the system's Python."""

import sys

for line in sys.stdin:
    if line.startswith("uci") and "newgame" not in line:
        print("id name Chatterer\nuciok", flush=True)
    if line.startswith("isready"):
        print("readyok", flush=True)
    while line.startswith("go"):
        print("info string patience", flush=True)

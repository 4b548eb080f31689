"""A UCI engine that plays e2e4 and d2d4 and says much about its search, some of it hostile."""

import sys

MOVES = ("e2e4", "d2d4", "g1f3")
FLOOD = 20_000

for line in sys.stdin:
    word, *rest = line.split()
    if word == "uci":
        print("id name talker\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        made = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
    elif word == "go":
        for number in range(FLOOD):
            print(f"info depth 1 score cp {number % 50} nodes {number} pv a1a8")
        print("info depth nan score cp 10 pv <script>")
        print("info score mate 99999999999999999999")
        print(f"info depth 8 score cp 100 nodes 1234 pv {MOVES[made // 2]} <script>")
        print(f"bestmove {MOVES[made // 2]}", flush=True)
    elif word == "quit":
        break

"""An engine in the JSON protocol that misbehaves as its arguments say: `exit=3` in its third move, `hang=0` at its start.

Run by the system's Python, without anything of the arena. A restarted process counts its moves anew.
"""  # noqa: E501

import json
import os
import socket
import sys
import time


def say(**words):
    print(json.dumps(words), flush=True)


def sleep_mutely():
    os.close(1)
    time.sleep(1000)


def flood():
    while True:
        sys.stdout.write("x" * 100)


def hog():
    memory = bytearray(1 << 29)
    memory[::4096] = b"x" * len(memory[::4096])
    say(move="z9z9")


FAULTS = {
    "exit": lambda: os._exit(7),
    "hang": lambda: time.sleep(1000),
    "illegal": lambda: say(move="z9z9"),
    "nonsense": lambda: print("\x1b[31mnonsense", flush=True),
    "number": lambda: say(move=12),
    "nested": lambda: print("[" * 60000, flush=True),
    "flood": flood,
    "mute": sleep_mutely,
    "read": lambda: open("/etc/passwd").close(),
    "fork": os.fork,
    "connect": socket.socket,
    "memory": hog,
}


def misbehave(faults, when):
    for how, moment in faults.items():
        if moment == when and how in FAULTS:
            FAULTS[how]()


def main():
    faults = dict(word.split("=") for word in sys.argv[1:])
    moves = 0
    for line in sys.stdin:
        words = json.loads(line)
        if words["type"] == "start":
            misbehave(faults, "0")
            say(type="ready", name=f"engine {os.getpid()}")
        elif words["type"] == "move":
            moves += 1
            misbehave(faults, str(moves))
            say(move=words["legal"][moves % len(words["legal"])], filler="x" * int(faults.get("long", 0)))
            while "ponder" in faults:
                pass
        else:
            return


main()

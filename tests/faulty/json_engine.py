"""An engine in the JSON protocol that misbehaves as its arguments say: `exit=3` in its third move, `hang=0` at its start.

Run by the system's Python, without anything of the arena. A restarted process counts its moves anew.
"""

import json
import os
import sys
import time


def say(**words):
    print(json.dumps(words), flush=True)


def misbehave(how):
    if how == "exit":
        os._exit(7)
    if how == "hang":
        time.sleep(1000)
    if how == "illegal":
        say(move="z9z9")
    if how == "nonsense":
        print("\x1b[31mnonsense", flush=True)
    if how == "number":
        say(move=12)
    if how == "nested":
        print("[" * 60000, flush=True)
    if how == "flood":
        while True:
            sys.stdout.write("x" * 100)
    if how == "mute":
        os.close(1)
        time.sleep(1000)
    if how == "read":
        open("/etc/passwd").close()
    if how == "fork":
        os.fork()
    if how == "connect":
        __import__("socket").socket()
    if how == "memory":
        hog = bytearray(1 << 29)
        hog[::4096] = b"x" * len(hog[::4096])
        say(move="z9z9")


def main():
    faults = dict(word.split("=") for word in sys.argv[1:])
    moves = 0
    for line in sys.stdin:
        words = json.loads(line)
        if words["type"] == "start":
            for how, when in faults.items():
                if when == "0":
                    misbehave(how)
            say(type="ready", name=f"engine {os.getpid()}")
        elif words["type"] == "move":
            moves += 1
            for how, when in faults.items():
                if when in (str(moves), "always"):
                    misbehave(how)
            say(move=words["legal"][moves % len(words["legal"])], filler="x" * int(faults.get("long", 0)))
            if "ponder" in faults:
                while True:
                    pass
        else:
            return


main()

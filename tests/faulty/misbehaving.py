"""Agents that break a rule, each in another way. They run in processes of their own; no test imports them."""

import os
import signal
import socket
import sys
import time

from agents import BaseAgent


class Honest(BaseAgent):
    def act(self, state):
        return next(iter(state.legal_moves))


class Hangs(BaseAgent):
    def act(self, state):
        while True:
            pass


class Sleeps(BaseAgent):
    def act(self, state):
        time.sleep(3600)


class SleepsThroughSignals(BaseAgent):
    def reset(self):
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)

    def act(self, state):
        time.sleep(3600)


class RaisesInConstructor(Honest):
    def __init__(self, name, color):
        raise ValueError("no constructor for you")


class RaisesInReset(BaseAgent):
    def reset(self):
        raise ValueError("no reset for you")

    def act(self, state):
        return None


class RaisesInAct(BaseAgent):
    def act(self, state):
        sys.stderr.write("about to fail\n")
        raise ValueError("no move for you")


class RaisesInClose(Honest):
    def close(self):
        raise ValueError("no close for you")


class HangsInClose(Honest):
    def close(self):
        time.sleep(3600)


class HangsInReset(Honest):
    def reset(self):
        time.sleep(3600)


class Exits(BaseAgent):
    def act(self, state):
        sys.exit(0)


class Vanishes(BaseAgent):
    def act(self, state):
        os._exit(7)


class Crashes(BaseAgent):
    def act(self, state):
        os.kill(os.getpid(), signal.SIGSEGV)


class Recurses(BaseAgent):
    def act(self, state):
        return self.act(state)


class IllegalMove(BaseAgent):
    def act(self, state):
        return "a1a1"


class NoMove(BaseAgent):
    def act(self, state):
        return None


class ListOfMoves(BaseAgent):
    def act(self, state):
        return list(state.legal_moves)


class OddText(BaseAgent):
    def act(self, state):
        return "\x1b[31mé\udc80\n" * 5


class LongText(BaseAgent):
    def act(self, state):
        return str(next(iter(state.legal_moves))) + " " * 1000


def wire():
    """The agent's own end of the socket."""
    for descriptor in range(3, 64):
        try:
            if os.fstat(descriptor).st_mode & 0o170000 == 0o140000:
                return socket.socket(fileno=os.dup(descriptor))
        except OSError:
            continue
    raise RuntimeError("no socket found")


class SpeaksUnasked(Honest):
    """Answers its first turn twice."""

    def act(self, state):
        wire().send(b"12345678md2d3")
        return super().act(state)


class SpeaksEarly(Honest):
    """Sends a reply before the request."""

    def reset(self):
        wire().send(b"12345678k")


class GiantMessage(Honest):
    def act(self, state):
        wire().send(b"12345678e" + b"x" * 150_000)
        return super().act(state)


class ClosesWire(Honest):
    def act(self, state):
        for descriptor in range(3, 64):
            try:
                os.close(descriptor)
            except OSError:
                continue
        time.sleep(3600)


class Floods(Honest):
    def act(self, state):
        for _ in range(200):
            print("x" * 100_000)
        print("the last line")
        return super().act(state)


class ClosesOutput(Honest):
    def reset(self):
        os.close(1)
        os.close(2)


class PressesCtrlC(BaseAgent):
    def act(self, state):
        raise KeyboardInterrupt


class Unprintable(BaseAgent):
    def act(self, state):
        class Nasty(Exception):
            def __str__(self):
                raise RuntimeError("no text either")

        raise Nasty


class SpoilsItsState(Honest):
    """Changes its state; this must have no effect on the game."""

    def act(self, state):
        move = super().act(state)
        state.clear()
        return move

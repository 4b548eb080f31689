"""Agents that try to cheat the clock, or compute during the opponent's turn."""

import ctypes
import datetime
import fcntl
import os
import signal
import threading
import time

from agents.basic.debug_agent import FirstMoveAgent as Honest
from agents.child import STACK

LIBC = ctypes.CDLL(None, use_errno=True)


class Sleeps(Honest):
    def act(self, state):
        time.sleep(3600)


class Spins(Honest):
    def act(self, state):
        while True:
            pass


class SpinsInC(Honest):
    """Blocks all signals and makes one long call that never checks for them."""

    def act(self, state):
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        return 3 ** (3**40) % 7


class BlocksSignals(Honest):
    def act(self, state):
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
        time.sleep(3600)


class PatchesTime(Honest):
    def act(self, state):
        for name in ("time", "monotonic", "perf_counter", "process_time"):
            setattr(time, name, lambda: 0.0)
        self.time_left = 1e9
        while True:
            pass


class StopsItself(Honest):
    def act(self, state):
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(3600)


class SpoilsItsStack(Honest):
    """Lets nobody, the referee too, write to the file for stacks; then hangs, so that its stack is wanted."""

    def act(self, state):
        fcntl.fcntl(STACK, fcntl.F_SETFL, os.O_APPEND)
        time.sleep(3600)


class SpinsInEightThreads(Honest):
    def act(self, state):
        for _ in range(7):
            threading.Thread(target=self.spin, daemon=True).start()
        self.spin()

    @staticmethod
    def spin():
        while True:
            sum(range(1000))


class SleepsInReset(Honest):
    def reset(self):
        time.sleep(3600)


class Works(Honest):
    """Honest work: a fixed number of CPU seconds."""

    def __init__(self, name, color, seconds=0.3):
        super().__init__(name, color)
        self.seconds = seconds

    def act(self, state):
        end = time.process_time() + self.seconds
        while time.process_time() < end:
            pass
        return super().act(state)


class Ponders(Honest):
    """Has a thread that counts during the opponent's turn; prints the count."""

    count = 0
    mine = True

    def reset(self):
        threading.Thread(target=self.think, daemon=True).start()

    def think(self):
        while True:
            if self.mine:
                time.sleep(0)
            else:
                self.count += 1

    def act(self, state):
        self.mine = True
        print("thought", self.count, flush=True)
        self.count = 0
        move = super().act(state)
        self.mine = False
        return move


class WakesByAlarm(Ponders):
    """Tries to undo the stop with the timers that are left."""

    def reset(self):
        signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGCONT))
        signal.signal(signal.SIGCONT, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        super().reset()


class KnowsTheDate(Honest):
    def act(self, state):
        print(datetime.datetime.now().year > 2000, time.localtime().tm_year > 2000)
        return super().act(state)


class WorksInReset(Honest):
    """Thinks before the game, when no clock runs."""

    def reset(self):
        end = time.process_time() + 0.25
        while time.process_time() < end:
            pass

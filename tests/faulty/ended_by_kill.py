import os
import signal

from agents import BaseAgent


class EndedByKill(BaseAgent):
    def act(self, state):
        os.kill(os.getpid(), signal.SIGKILL)

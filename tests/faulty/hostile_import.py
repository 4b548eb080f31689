"""A module whose import never ends."""

import time

from agents import BaseAgent

time.sleep(3600)


class Late(BaseAgent):
    def act(self, state):
        return next(iter(state.legal_moves))

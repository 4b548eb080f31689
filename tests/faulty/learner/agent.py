"""An agent that learns: it loads weights from its own folder, trains a little, and asks its network for moves."""

from pathlib import Path

import torch
from torch import nn

from agents import BaseAgent


class Learner(BaseAgent):
    """Its folder holds `weights.pt`."""

    def __init__(self, name, color):
        super().__init__(name, color)
        self.network = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
        self.network.load_state_dict(torch.load(Path(__file__).parent / "weights.pt", weights_only=True))
        print("loaded", round(float(self.network[0].weight[0, 0].detach()), 3))

    def reset(self):
        optimizer = torch.optim.Adam(self.network.parameters(), lr=0.01)
        features, values = torch.randn(64, 8), torch.randn(64, 1)
        first = last = 0.0
        for step in range(20):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.network(features), values)
            loss.backward()
            optimizer.step()
            first, last = (loss.item(), 0.0) if step == 0 else (first, loss.item())
        print("trained", last < first)

    def act(self, state):
        moves = list(state.legal_moves)
        with torch.no_grad():
            scores = self.network(torch.randn(len(moves), 8))
        self.convolve()
        return moves[int(scores.argmax())]

    @staticmethod
    def convolve():
        """The kinds of layers that bring libraries of their own."""
        board = torch.randn(2, 3, 5, 4)
        layers = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(160, 4))
        layers(board).sum().backward()
        torch.linalg.svd(torch.randn(8, 8))

import torch


class Walk:
    """A point on a line that is to be kept near zero."""

    def __init__(self, length=20):
        self.length = length

    def reset(self):
        self.position = torch.rand(()) * 2 - 1
        self.time = 0
        return self._obs()

    def _obs(self):
        return torch.stack([self.position, torch.tensor(self.time / self.length)])

    def step(self, action):
        self.position = self.position + (0.1 if action == 1 else -0.1)
        self.time += 1
        done = self.time >= self.length
        return self._obs(), 1.0 - float(self.position.abs()), done

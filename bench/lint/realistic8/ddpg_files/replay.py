import random
from collections import deque

import numpy as np
import torch


class PointMass:
    """push a mass to the origin; the state array is updated in place"""

    max_steps = 60

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.state = np.zeros(2, dtype=np.float32)

    def reset(self):
        self.t = 0
        self.state[:] = self.rng.uniform(-1, 1, 2)
        return self.state.copy()

    def step(self, a):
        self.t += 1
        self.state[1] += 0.1 * float(a[0])
        self.state[0] += 0.1 * self.state[1]
        cost = self.state[0] ** 2 + 0.1 * self.state[1] ** 2 + 0.01 * float(a[0]) ** 2
        failed = bool(abs(self.state[0]) > 3)
        return self.state.copy(), -float(cost), failed, self.t >= self.max_steps


class Replay:
    def __init__(self, capacity):
        self.rows = deque(maxlen=capacity)

    def __len__(self):
        return len(self.rows)

    def add(self, s, a, r, s2, failed):
        self.rows.append((s, a, r, s2, failed))

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.rows, n))
        to = lambda x: torch.as_tensor(np.array(x), dtype=torch.float32)
        return to(s), to(a), to(r).unsqueeze(1), to(s2), to(d).unsqueeze(1)

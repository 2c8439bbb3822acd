from collections import deque, namedtuple

import numpy as np
import torch

Transition = namedtuple("Transition", "obs action reward next_obs terminated")


class NStep:
    """Joins n one-step transitions into one."""

    def __init__(self, n, gamma):
        self.n, self.gamma = n, gamma
        self.queue = deque(maxlen=n)

    def push(self, t):
        self.queue.append(t)
        if len(self.queue) < self.n and not t.terminated:
            return None
        reward = 0.0
        for item in reversed(self.queue):
            reward = item.reward + self.gamma * reward
        first, last = self.queue[0], self.queue[-1]
        return Transition(first.obs, first.action, reward, last.next_obs, last.terminated)

    def clear(self):
        self.queue.clear()


class Replay:
    def __init__(self, capacity, seed):
        self.data = []
        self.capacity = capacity
        self.head = 0
        self.rng = np.random.default_rng(seed)

    def add(self, t):
        if len(self.data) < self.capacity:
            self.data.append(t)
        else:
            self.data[self.head] = t
        self.head = (self.head + 1) % self.capacity

    def sample(self, k):
        rows = [self.data[i] for i in self.rng.integers(0, len(self.data), k)]
        b = Transition(*zip(*rows))
        return Transition(
            torch.as_tensor(np.stack(b.obs), dtype=torch.float32),
            torch.as_tensor(b.action, dtype=torch.int64),
            torch.as_tensor(b.reward, dtype=torch.float32),
            torch.as_tensor(np.stack(b.next_obs), dtype=torch.float32),
            torch.as_tensor(b.terminated, dtype=torch.float32),
        )

    def __len__(self):
        return len(self.data)

"""Replay with proportional priorities."""
from collections import deque

import numpy as np
import torch


class Replay:
    def __init__(self, capacity: int, alpha: float = 0.6, seed: int = 0):
        self.rows = deque(maxlen=capacity)
        self.priorities = deque(maxlen=capacity)
        self.alpha = alpha
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.rows)

    def push(self, state, action, reward, after, fallen):
        self.rows.append((state.copy(), action, reward, after.copy(), fallen))
        self.priorities.append(max(self.priorities, default=1.0))

    def sample(self, n: int, beta: float):
        p = np.array(self.priorities) ** self.alpha
        p /= p.sum()
        picks = self.rng.choice(len(p), size=n, p=p)
        states, actions, rewards, afters, fallen = zip(*(self.rows[i] for i in picks))
        weights = (len(p) * p[picks]) ** -beta
        batch = {
            "s": torch.from_numpy(np.stack(states)),
            "a": torch.tensor(actions),
            "r": torch.tensor(rewards, dtype=torch.float32),
            "s2": torch.from_numpy(np.stack(afters)),
            "fallen": torch.tensor(fallen, dtype=torch.float32),
            "w": torch.tensor(weights / weights.max(), dtype=torch.float32),
        }
        return picks, batch

    def set_priorities(self, picks, errors):
        for i, e in zip(picks, errors.flatten().tolist()):
            self.priorities[i] = e + 1e-3

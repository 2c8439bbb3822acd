"""A cart that is to stay near the middle of a windy track."""
import numpy as np


class WindyTrack:
    n_obs, n_actions = 3, 3

    def __init__(self, seed: int = 0, limit: int = 60):
        self.rng = np.random.default_rng(seed)
        self.limit = limit
        self.state = np.zeros(3, dtype=np.float32)  # place, speed, wind

    def reset(self):
        self.state[:] = self.rng.uniform(-0.5, 0.5, size=3)
        self.t = 0
        return self.state

    def step(self, action: int):
        s = self.state
        s[1] += 0.15 * (action - 1) + 0.06 * s[2] - 0.05 * s[1]
        s[0] += 0.3 * s[1]
        s[2] = np.clip(s[2] + 0.2 * self.rng.standard_normal(), -1, 1)
        self.t += 1
        fallen = bool(abs(s[0]) > 1.5)
        reward = -2.0 if fallen else 1.0 - abs(float(s[0]))
        return s, reward, fallen, self.t >= self.limit

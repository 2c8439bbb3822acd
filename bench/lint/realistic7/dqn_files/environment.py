"""A cart on a track that has to stop at the flag. The API is that of gymnasium."""
import numpy as np


class StopAtFlag:
    n_actions = 3
    n_obs = 2

    def __init__(self, max_steps=60, seed=None):
        self.max_steps = max_steps
        self.rng = np.random.default_rng(seed)
        self.state = np.zeros(2, dtype=np.float32)

    def reset(self):
        self.t = 0
        self.state[:] = (self.rng.uniform(-1.0, -0.5), 0.0)
        return self.state.copy(), {}

    def step(self, action):
        self.t += 1
        self.state[1] = 0.9 * self.state[1] + 0.1 * (action - 1)
        self.state[0] += self.state[1]
        x, v = self.state
        terminated = bool(abs(x) < 0.05 and abs(v) < 0.05) or bool(abs(x) > 2.0)
        truncated = self.t >= self.max_steps
        reward = -0.05 * abs(float(x)) + (1.0 if terminated and abs(x) < 0.05 else 0.0)
        return self.state.copy(), reward, terminated, truncated, {}

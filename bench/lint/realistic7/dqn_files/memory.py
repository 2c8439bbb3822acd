import numpy as np
import torch


class ReplayMemory:
    def __init__(self, capacity, n_obs, seed=0):
        self.capacity = capacity
        self.obs = np.zeros((capacity, n_obs), dtype=np.float32)
        self.next_obs = np.zeros((capacity, n_obs), dtype=np.float32)
        self.actions = np.zeros(capacity, dtype=np.int64)
        self.rewards = np.zeros(capacity, dtype=np.float32)
        self.terminal = np.zeros(capacity, dtype=np.float32)
        self.pos, self.size = 0, 0
        self.rng = np.random.default_rng(seed)

    def add(self, obs, action, reward, next_obs, terminated):
        i = self.pos
        self.obs[i], self.next_obs[i] = obs, next_obs
        self.actions[i], self.rewards[i], self.terminal[i] = action, reward, terminated
        self.pos = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n):
        i = self.rng.integers(0, self.size, size=n)
        arrays = (self.obs[i], self.actions[i], self.rewards[i], self.next_obs[i], self.terminal[i])
        return tuple(torch.from_numpy(a) for a in arrays)

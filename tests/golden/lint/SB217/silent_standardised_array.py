"""mean and std are methods of arrays, too."""
import numpy as np
import torch


class Agent:
    def advantages(self, rewards):
        out = self.empty_like(rewards)
        out[0] = rewards[0]
        return out

    def update(self):
        rewards = torch.tensor(np.array(self.rewards))
        adv = self.advantages(rewards.numpy())
        adv = (adv - adv.mean()) / (adv.std() + 1e-5)
        return torch.tensor(adv)

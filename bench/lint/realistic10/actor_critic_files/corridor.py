"""Many corridors side by side: walk to the right end before the clock runs out."""
import torch


class Corridors:
    LENGTH = 8
    LIMIT = 30
    n_actions = 2

    def __init__(self, count, seed=0):
        self.count = count
        self.gen = torch.Generator().manual_seed(seed)
        # columns: position, speed, clock
        self.state = torch.zeros(count, 3)
        self.reset_where(torch.ones(count, dtype=torch.bool))

    def reset_where(self, mask):
        k = int(mask.sum())
        if k:
            fresh = torch.zeros(k, 3)
            fresh[:, 0] = torch.randint(0, 4, (k,), generator=self.gen).float()
            self.state[mask] = fresh

    def observe(self):
        scale = torch.tensor([self.LENGTH, 1.0, self.LIMIT])
        return self.state / scale

    def step(self, action):
        push = action.float() * 2 - 1
        self.state[:, 1].mul_(0.5).add_(push, alpha=0.5)
        self.state[:, 0] += self.state[:, 1]
        self.state[:, 0].clamp_(min=0)
        self.state[:, 2] += 1
        home = self.state[:, 0] >= self.LENGTH
        late = self.state[:, 2] >= self.LIMIT
        reward = home.float() - 0.01
        done = home | late
        self.reset_where(done)
        return self.observe(), reward, done.float()

import torch
import torch.nn as nn
import torch.nn.functional as F


class Agent:
    def __init__(self, n):
        self.policy_net = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, 2))
        self.target_net = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, 2))
        self.optimizer = torch.optim.AdamW(self.policy_net.parameters(), lr=1e-3)

    def optimize(self, batch):
        s, a, r, s2, d = batch
        q = self.policy_net(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            y = r + 0.99 * self.target_net(s2).max(1)[0] * (1 - d)
        loss = F.smooth_l1_loss(q, y)
        loss.backward()  # expect: SB032
        torch.nn.utils.clip_grad_norm_(self.policy_net.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

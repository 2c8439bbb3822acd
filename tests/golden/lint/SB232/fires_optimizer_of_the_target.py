import torch
import torch.nn as nn
import torch.nn.functional as F


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 64), nn.ReLU(), nn.Linear(64, n_act))

    def forward(self, x):
        return self.net(x)


class Agent:
    def __init__(self):
        self.policy_net, self.target_net = QNet(4, 2), QNet(4, 2)
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.optimizer = torch.optim.AdamW(self.target_net.parameters(), lr=1e-3)  # expect: SB232

    def optimize(self, batch):
        s, a, r, s2, d = batch
        q = self.policy_net(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            y = r + 0.99 * self.target_net(s2).max(1)[0] * (1 - d)
        loss = F.smooth_l1_loss(q, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

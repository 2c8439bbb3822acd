import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(n_in, n_out, hidden=48):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, n_out))


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.q1, self.q2 = mlp(obs + act, 1), mlp(obs + act, 1)

    def forward(self, s, a):
        x = torch.cat([s, a], dim=1)
        return self.q1(x), self.q2(x)


class TD3:
    def __init__(self, obs=2, act=1, gamma=0.98, tau=0.01, lr=1e-3, delay=2):
        self.gamma, self.tau, self.delay, self.updates = gamma, tau, delay, 0
        self.actor = nn.Sequential(mlp(obs, act), nn.Tanh())
        self.critic = Critic(obs, act)
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr)

    @torch.no_grad()
    def act(self, s, noise=0.0):
        a = self.actor(torch.as_tensor(s).unsqueeze(0)).squeeze(0)
        return (a + noise * torch.randn_like(a)).clamp(-1, 1).numpy()

    def bellman(self, r, s2, d):
        a2 = self.actor_target(s2)
        a2 = (a2 + (0.2 * torch.randn_like(a2)).clamp(-0.5, 0.5)).clamp(-1, 1)
        return r + self.gamma * (1 - d) * torch.min(*self.critic_target(s2, a2))

    def update(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            y = self.bellman(r, s2, d)
        q1, q2 = self.critic(s, a)
        critic_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        self.updates += 1
        if self.updates % self.delay == 0:
            actor_loss = -self.critic(s, self.actor(s))[0].mean()
            self.actor_opt.zero_grad()
            actor_loss.backward()
            self.actor_opt.step()
            self._soft_update(self.actor, self.actor_target)
            self._soft_update(self.critic, self.critic_target)
        return critic_loss.item()

    @torch.no_grad()
    def _soft_update(self, net, target):
        for p, tp in zip(net.parameters(), target.parameters()):
            tp.mul_(1 - self.tau).add_(p, alpha=self.tau)

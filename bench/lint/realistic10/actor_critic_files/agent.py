import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


def mlp(n_in, n_hidden, n_out):
    return nn.Sequential(nn.Linear(n_in, n_hidden), nn.Tanh(), nn.Linear(n_hidden, n_hidden), nn.Tanh(), nn.Linear(n_hidden, n_out))


class Critic(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.net = mlp(n_obs, 64, 1)

    def forward(self, obs):
        return self.net(obs).squeeze(-1)


class Agent:
    def __init__(self, n_obs, n_actions, gamma=0.97, lam=0.9, tau=0.05):
        self.actor = mlp(n_obs, 64, n_actions)
        self.critic = Critic(n_obs)
        self.slow_critic = copy.deepcopy(self.critic)
        self.gamma, self.lam, self.tau = gamma, lam, tau
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-3)
        self.v_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-3)

    @torch.no_grad()
    def act(self, obs):
        return Categorical(logits=self.actor(obs)).sample()

    def td_target(self, reward, next_obs, done):
        with torch.no_grad():
            v_next = self.slow_critic(next_obs)
        return reward + self.gamma * (1.0 - done) * v_next

    def advantages(self, delta, done):
        """Generalised advantage estimation over the T x N deltas."""
        out = torch.zeros_like(delta)
        running = torch.zeros_like(delta[0])
        for t in reversed(range(delta.shape[0])):
            running = delta[t] + self.gamma * self.lam * (1.0 - done[t]) * running
            out[t] = running
        return out

    def learn(self, roll, entropy_weight=0.01):
        target = self.td_target(roll.reward, roll.next_obs, roll.done)
        value = self.critic(roll.obs)
        adv = self.advantages((target - value).detach(), roll.done)
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)

        dist = Categorical(logits=self.actor(roll.obs))
        pi_loss = -(dist.log_prob(roll.action) * adv).mean()
        pi_loss = pi_loss - entropy_weight * dist.entropy().mean()
        v_loss = F.mse_loss(value, target)

        self.descend(self.pi_opt, pi_loss, self.actor)
        self.descend(self.v_opt, v_loss, self.critic)
        self.follow()
        return pi_loss.item(), v_loss.item()

    def descend(self, opt, loss, net):
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()

    @torch.no_grad()
    def follow(self):
        for slow, fast in zip(self.slow_critic.parameters(), self.critic.parameters()):
            slow.copy_((1.0 - self.tau) * slow + self.tau * fast)

"""Advantage actor-critic on a corridor. The end of the corridor pays, each step costs."""
import argparse
import random
from typing import List, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

p = argparse.ArgumentParser()
p.add_argument("--updates", type=int, default=50)
p.add_argument("--n-steps", type=int, default=8)
p.add_argument("--gamma", type=float, default=0.97)
p.add_argument("--lam", type=float, default=0.95)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--entropy", type=float, default=0.01)
p.add_argument("--value-coef", type=float, default=0.5)
p.add_argument("--max-grad-norm", type=float, default=0.5)


class Step(NamedTuple):
    log_prob: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: torch.Tensor
    done: torch.Tensor


class Corridors:
    """n corridors of length 8 side by side; actions: back, stay, on"""

    def __init__(self, n: int = 8, length: int = 8):
        self.n, self.length = n, length
        self.pos = torch.zeros(n, dtype=torch.long)

    def observe(self) -> torch.Tensor:
        return F.one_hot(self.pos, self.length).float()

    def step(self, action: torch.Tensor):
        self.pos = (self.pos + action - 1).clamp(0, self.length - 1)
        done = self.pos == self.length - 1
        reward = done.float() - 0.02
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        return self.observe(), reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self, n_obs: int, n_actions: int, hidden: int = 32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def gae(steps: List[Step], last_value: torch.Tensor, gamma: float, lam: float):
    """generalised advantages and returns, both of shape (time, envs)"""
    advantage, nxt, out = torch.zeros_like(last_value), last_value, []
    for s in reversed(steps):
        value = s.value.detach()
        delta = s.reward + gamma * (1 - s.done) * nxt - value
        advantage = delta + gamma * lam * (1 - s.done) * advantage
        nxt = value
        out.insert(0, advantage)
    adv = torch.stack(out)
    return adv, adv + torch.stack([s.value for s in steps]).detach()


def rollout(env, net, obs, n_steps):
    steps: List[Step] = []
    for _ in range(n_steps):
        dist, value = net(obs)
        action = dist.sample()
        obs, reward, done = env.step(action)
        steps.append(Step(dist.log_prob(action), value, dist.entropy(), reward, done))
    return steps, obs


def main():
    args = p.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    env = Corridors()
    net = ActorCritic(env.length, 3)
    opt = torch.optim.RMSprop(net.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=args.updates)
    obs, smooth = env.observe(), 0.0
    for update in range(1, args.updates + 1):
        steps, obs = rollout(env, net, obs, args.n_steps)
        with torch.no_grad():
            last_value = net(obs)[1]
        adv, returns = gae(steps, last_value, args.gamma, args.lam)
        log_probs = torch.stack([s.log_prob for s in steps])
        values = torch.stack([s.value for s in steps])
        entropy = torch.stack([s.entropy for s in steps]).mean()

        policy_loss = -(log_probs * adv).mean()
        value_loss = F.mse_loss(values, returns)
        loss = policy_loss + args.value_coef * value_loss - args.entropy * entropy
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), args.max_grad_norm)
        opt.step()
        sched.step()
        reward = torch.stack([s.reward for s in steps]).mean().item()
        smooth = 0.9 * smooth + 0.1 * reward
        if update % 10 == 0:
            print(f"update {update:4d}  loss {loss.item():.3f}  reward {smooth:.4f}  H {entropy.item():.2f}")


if __name__ == "__main__":
    main()

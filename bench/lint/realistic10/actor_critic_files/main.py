from dataclasses import dataclass

import torch

from agent import Agent
from corridor import Corridors


@dataclass
class Rollout:
    obs: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    next_obs: torch.Tensor
    done: torch.Tensor


def collect(env, agent, horizon):
    rows = {"obs": [], "action": [], "reward": [], "next_obs": [], "done": []}
    obs = env.observe()
    for _ in range(horizon):
        action = agent.act(obs)
        next_obs, reward, done = env.step(action)
        for name, value in zip(rows, (obs, action, reward, next_obs, done)):
            rows[name].append(value)
        obs = next_obs
    return Rollout(**{name: torch.stack(values) for name, values in rows.items()})


def main(updates=40, horizon=16):
    torch.manual_seed(11)
    env = Corridors(count=16)
    agent = Agent(n_obs=3, n_actions=env.n_actions)
    for k in range(updates):
        roll = collect(env, agent, horizon)
        pi_loss, v_loss = agent.learn(roll)
        if k % 10 == 9:
            arrived = (roll.reward > 0).sum().item()
            print(f"update {k + 1}: arrived {arrived} pi {pi_loss:.3f} v {v_loss:.4f}")


if __name__ == "__main__":
    main()

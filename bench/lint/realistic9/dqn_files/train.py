import random

import numpy as np
import torch

from agent import Agent
from replay import NStep, Replay, Transition


class Corridor:
    """Walk to the right end; the time limit truncates, the pit at the left end terminates."""

    def __init__(self, length=10, limit=40, seed=0):
        self.length, self.limit = length, limit
        self.rng = np.random.default_rng(seed)

    def _obs(self):
        return np.array([self.x / self.length, self.v, self.t / self.limit], dtype=np.float32)

    def reset(self):
        self.x, self.v, self.t = self.length / 2, 0.0, 0
        return self._obs()

    def step(self, action):
        self.v = 0.8 * self.v + 0.4 * (action - 1) + 0.05 * self.rng.normal()
        self.x += self.v
        self.t += 1
        terminated = self.x <= 0 or self.x >= self.length
        reward = (10.0 if self.x >= self.length else -10.0) if terminated else -0.1
        return self._obs(), reward, terminated, self.t >= self.limit and not terminated


def evaluate(agent, episodes=3):
    env, returns = Corridor(seed=99), []
    for _ in range(episodes):
        obs, total, over = env.reset(), 0.0, False
        while not over:
            obs, reward, terminated, truncated = env.step(agent.act(obs, greedy=True))
            total += reward
            over = terminated or truncated
        returns.append(total)
    return np.mean(returns)


def main(total_steps=800, warm=100, batch=32, every=2):
    random.seed(0)
    torch.manual_seed(0)
    env = Corridor()
    agent = Agent(n_obs=3, n_actions=3)
    joiner, memory = NStep(agent.n_step, agent.gamma), Replay(500, seed=0)
    obs, losses = env.reset(), []
    for step in range(total_steps):
        action = agent.act(obs)
        next_obs, reward, terminated, truncated = env.step(action)
        joined = joiner.push(Transition(obs, action, reward, next_obs, terminated))
        if joined is not None:
            memory.add(joined)
        obs = next_obs
        if terminated or truncated:
            obs = env.reset()
            joiner.clear()
        if step >= warm and step % every == 0:
            losses.append(agent.learn(memory.sample(batch)))
    print(f"loss {np.mean(losses[-50:]):.4f} return {evaluate(agent):.2f} epsilon {agent.epsilon:.2f}")


if __name__ == "__main__":
    main()

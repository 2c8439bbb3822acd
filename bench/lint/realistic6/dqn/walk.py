"""The agent learns to walk to the end of a corridor."""

import random

import torch

from agent import DQNAgent


class Corridor:
    def __init__(self, length=6, limit=30):
        self.length = length
        self.limit = limit

    def _state(self):
        s = torch.zeros(self.length)
        s[self.at] = 1.0
        return s

    def reset(self):
        self.at, self.steps = 0, 0
        return self._state()

    def step(self, action):
        self.at = max(0, min(self.length - 1, self.at + (1 if action == 1 else -1)))
        self.steps += 1
        won = self.at == self.length - 1
        return self._state(), 1.0 if won else -0.02, won, won or self.steps >= self.limit


def run(episodes=15, batch_size=32):
    random.seed(4)
    torch.manual_seed(4)
    world = Corridor()
    agent = DQNAgent(world.length, 2)
    returns = []
    for episode in range(episodes):
        state, total, over = world.reset(), 0.0, False
        epsilon = max(0.1, 1.0 - episode / 10)
        while not over:
            action = agent.act(state, epsilon)
            following, reward, won, over = world.step(action)
            agent.replay.push(state, action, reward, following, won)
            state = following
            total += reward
            if len(agent.replay) >= batch_size:
                agent.learn(batch_size)
                agent.sync()
        returns.append(total)
    print("mean return", sum(returns) / len(returns))


if __name__ == "__main__":
    run()

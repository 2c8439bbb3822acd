import random

import torch

from agent import DoubleDQN
from environment import StopAtFlag
from memory import ReplayMemory

EPISODES = 25
BATCH = 64
WARMUP = 200
EPS_START, EPS_END, EPS_DECAY = 1.0, 0.05, 0.93


def play(env, agent, episodes=3):
    total = 0.0
    for _ in range(episodes):
        obs, _ = env.reset()
        over = False
        while not over:
            obs, reward, terminated, truncated, _ = env.step(agent.greedy(obs))
            total += reward
            over = terminated or truncated
    return total / episodes


def main():
    random.seed(0)
    torch.manual_seed(0)
    env, test_env = StopAtFlag(seed=1), StopAtFlag(seed=2)
    agent = DoubleDQN(env.n_obs, env.n_actions)
    memory = ReplayMemory(2000, env.n_obs)
    eps = EPS_START
    losses = []
    for episode in range(EPISODES):
        obs, _ = env.reset()
        over = False
        while not over:
            action = random.randrange(env.n_actions) if random.random() < eps else agent.greedy(obs)
            next_obs, reward, terminated, truncated, _ = env.step(action)
            memory.add(obs, action, reward, next_obs, terminated)
            obs = next_obs
            over = terminated or truncated
            if memory.size >= WARMUP:
                losses.append(agent.update(memory.sample(BATCH)))
        eps = max(EPS_END, eps * EPS_DECAY)
    print(f"loss {sum(losses[-50:]) / 50:.4f}, return of the greedy policy {play(test_env, agent):.3f}")


if __name__ == "__main__":
    main()

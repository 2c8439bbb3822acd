"""python main.py: learns to hold the cart, then plays without chance."""
import random

import numpy as np
import torch

from agent import DQN
from env import WindyTrack
from replay import Replay

EPISODES = 60
BATCH = 64
START = 300
SYNC = 100


def epsilon(episode: int) -> float:
    return max(0.05, 1.0 - episode / (0.6 * EPISODES))


def play(agent: DQN, seed: int, games: int = 5) -> float:
    env = WindyTrack(seed)
    returns = []
    for _ in range(games):
        state, total, over = env.reset(), 0.0, False
        while not over:
            state, reward, fallen, late = env.step(agent.act(state))
            total += reward
            over = fallen or late
        returns.append(total)
    return float(np.mean(returns))


def train(seed: int = 1) -> DQN:
    random.seed(seed)
    torch.manual_seed(seed)
    env, replay = WindyTrack(seed), Replay(5000, seed=seed)
    agent = DQN(env.n_obs, env.n_actions)
    steps, losses = 0, []
    for episode in range(EPISODES):
        state, over = env.reset().copy(), False
        while not over:
            action = agent.act(state, epsilon(episode))
            after, reward, fallen, late = env.step(action)
            replay.push(state, action, reward, after, fallen)
            state, over = after.copy(), fallen or late
            steps += 1
            if len(replay) < START or steps % 2:
                continue
            picks, batch = replay.sample(BATCH, beta=0.4 + 0.6 * episode / EPISODES)
            loss, errors = agent.learn(batch)
            replay.set_priorities(picks, errors)
            losses.append(loss)
            if steps % SYNC == 0:
                agent.sync()
        if episode % 10 == 9 and losses:
            print(f"episode {episode:3d}  loss {np.mean(losses[-200:]):.3f}  return {play(agent, seed=99):.1f}")
    return agent


if __name__ == "__main__":
    final = train()
    print(f"greedy return {play(final, seed=7, games=20):.1f}")

import random

import torch
from tqdm import trange

from agent import TD3
from replay import PointMass, Replay

CFG = dict(seed=1, episodes=8, eval_episodes=3, batch=64, warmup=100, noise=0.3, capacity=20_000)


def evaluate(agent, episodes, seed=1000):
    env, total = PointMass(seed), 0.0
    for _ in range(episodes):
        s, over = env.reset(), False
        while not over:
            s, r, failed, cut = env.step(agent.act(s))
            total += r
            over = failed or cut
    return total / episodes


def main():
    random.seed(CFG["seed"])
    torch.manual_seed(CFG["seed"])
    env, agent, memory = PointMass(CFG["seed"]), TD3(), Replay(CFG["capacity"])
    for episode in (bar := trange(CFG["episodes"])):
        s, over = env.reset(), False
        while not over:
            a = agent.act(s, noise=CFG["noise"])
            s2, r, failed, cut = env.step(a)
            memory.add(s, a, r, s2, failed)
            s, over = s2, failed or cut
            if len(memory) >= CFG["warmup"]:
                agent.update(memory.sample(CFG["batch"]))
        bar.set_postfix(ret=evaluate(agent, CFG["eval_episodes"]))


if __name__ == "__main__":
    main()

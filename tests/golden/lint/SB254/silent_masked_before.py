import torch


def gae(rewards, values, dones, gamma, lam):
    advantage, out = 0.0, []
    for t in reversed(range(len(rewards))):
        advantage *= 1 - dones[t]
        delta = rewards[t] + gamma * values[t + 1] * (1 - dones[t]) - values[t]
        advantage = delta + gamma * lam * advantage
        out.insert(0, advantage)
    return torch.stack(out)

import torch


def gae(rewards, values, dones, last, gamma, lam):
    advantage, out = 0.0, []
    following = last
    for r, v, done in zip(reversed(rewards), reversed(values), reversed(dones)):
        delta = r + gamma * (1 - done) * following - v
        advantage = delta + gamma * lam * (1 - done) * advantage
        following = v
        out.insert(0, advantage)
    return torch.stack(out)


def of_one_episode(rewards, values, gamma, lam):
    advantage, out = 0.0, []
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        advantage = delta + gamma * lam * advantage
        out.insert(0, advantage)
    return torch.stack(out)


def cut_by_hand(rewards, values, dones, gamma, lam):
    advantage, out = 0.0, []
    for t in reversed(range(len(rewards))):
        if dones[t]:
            advantage = 0.0
        delta = rewards[t] + gamma * values[t + 1] * (1 - dones[t]) - values[t]
        advantage = delta + gamma * lam * advantage
        out.insert(0, advantage)
    return torch.stack(out)

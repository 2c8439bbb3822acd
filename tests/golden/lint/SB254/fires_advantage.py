import torch


def gae(rewards, values, dones, last, gamma, lam):
    advantage, out = 0.0, []
    following = last
    for r, v, done in zip(reversed(rewards), reversed(values), reversed(dones)):
        delta = r + gamma * (1 - done) * following - v
        advantage = delta + gamma * lam * advantage  # expect: SB254
        following = v
        out.insert(0, advantage)
    return torch.stack(out)

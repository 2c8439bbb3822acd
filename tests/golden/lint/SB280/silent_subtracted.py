import torch
from torch import nn


class PPO:
    def __init__(self, net):
        self.net, self.ent_coef = net, 0.01
        self.optimizer = torch.optim.Adam(net.parameters())

    def update(self, states, actions, adv, old):
        dist = torch.distributions.Categorical(logits=self.net(states))
        ratio = (dist.log_prob(actions) - old).exp()
        policy_loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        entropy = dist.entropy().mean()
        loss = policy_loss - self.ent_coef * entropy
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

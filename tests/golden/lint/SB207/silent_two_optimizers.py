import torch
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, net, critic, make, rounds):
        self.net = net
        self.critic = critic
        self.net_opt = make(net)
        self.critic_opt = make(critic)
        self.rounds = rounds

    def update(self, batches, limit):
        loss = self.net(next(batches)).mean()
        loss.backward()
        self.net_opt.step()
        self.net_opt.zero_grad()
        if self.critic is not None:
            self.critic_opt.zero_grad()
            for _ in range(self.rounds):
                loss = self.critic(next(batches)).mean()
                loss.backward()
            if limit:
                clip_grad_norm_(self.critic.parameters(), limit)
            self.critic_opt.step()

import torch
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, net, critic, make):
        self.net = net
        self.critic = critic
        self.net_opt = make(net)
        self.critic_opt = make(critic)

    def update(self, batch, make_gradients):
        make_gradients(batch)
        clip_grad_norm_(self.net.parameters(), 1.0)
        loss = torch.mean(self.critic(batch))
        loss.backward()
        self.critic_opt.step()
        self.critic_opt.zero_grad()
        self.net_opt.step()
        self.net_opt.zero_grad()

import torch
from torch import nn

net = nn.Linear(4, 4)
critic = nn.Linear(4, 1)
net_opt = torch.optim.SGD(net.parameters(), lr=0.1)
critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
for x in [torch.zeros(2, 4)]:
    net_opt.zero_grad()
    critic_opt.zero_grad()
    critic(net(x)).mean().backward()
    net_opt.step()
    nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
    critic_opt.step()

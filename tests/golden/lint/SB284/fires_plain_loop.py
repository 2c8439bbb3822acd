import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(2, 1)
actor_opt = torch.optim.Adam(actor.parameters())
critic_opt = torch.optim.Adam(critic.parameters())
for s, a, y in [(torch.zeros(1, 4), torch.zeros(1, 2), torch.zeros(1, 1))]:
    critic_loss = nn.functional.mse_loss(critic(a), y)
    critic_loss.backward()
    critic_opt.step()
    critic_opt.zero_grad()
    actor_loss = -critic(actor(s)).mean()
    actor_opt.zero_grad()
    actor_loss.backward()  # expect: SB284
    actor_opt.step()

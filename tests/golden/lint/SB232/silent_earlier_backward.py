import torch
from torch import nn

generator, critic = nn.Linear(4, 2), nn.Linear(2, 1)
optimizer = torch.optim.Adam(generator.parameters())
for step in range(10):
    fake = generator(torch.randn(8, 4))
    optimizer.zero_grad()
    (-critic(fake).mean()).backward()
    critic(fake.detach()).mean().backward()
    optimizer.step()

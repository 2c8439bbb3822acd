import torch
from torch import nn

critic = nn.Linear(4, 1)
optimizer = torch.optim.Adam(critic.parameters())
criterion = nn.MSELoss()
discount = 0.99


def update(state, reward, following):
    value = critic(state)
    loss = criterion(value, reward + discount * critic(following))  # expect: SB235
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

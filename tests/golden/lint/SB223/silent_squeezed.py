import torch
from torch import nn


def learn(q_net, target_net, optimizer, states, actions, rewards, next_states, dones):
    q = q_net(states).gather(1, actions.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        q_next = target_net(next_states).max(dim=1)[0]
    expected = rewards + 0.99 * q_next * (1 - dones)
    loss = nn.functional.smooth_l1_loss(q, expected)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

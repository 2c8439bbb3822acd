import torch
from torch import nn


def train(steps):
    online = nn.Linear(4, 2)
    target = online  # expect: SB234
    for step in range(steps):
        if step % 100 == 0:
            target.load_state_dict(online.state_dict())

import torch
from torch import nn
from torch.utils.data import DataLoader


def probe(encoder, data):
    head = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for x, y in DataLoader(data, batch_size=8, shuffle=True):
        with torch.no_grad():
            features = encoder(x)
        loss = nn.functional.cross_entropy(head(features), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # expect: SB232
    return head

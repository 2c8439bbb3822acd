import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader


def train(dataset, device):
    model = nn.Linear(4, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in DataLoader(dataset, batch_size=16, shuffle=True):
        noisy, clean = batch
        clean = torch.autograd.Variable(clean.to(device, non_blocking=True))
        clean = clean.unsqueeze(1)
        optimizer.zero_grad()
        F.l1_loss(model(noisy), clean).backward()
        optimizer.step()

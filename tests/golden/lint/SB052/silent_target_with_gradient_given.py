import torch
from torch import nn, optim
from torch.utils.data import DataLoader


def match(criterion, optimizer, student, teacher_out, x):
    optimizer.zero_grad()
    out = student(x)
    loss = criterion(out.detach(), teacher_out)
    loss.backward()
    optimizer.step()


def main(data):
    student, adapter = nn.Linear(20, 5), nn.Linear(20, 5)
    optimizer = optim.SGD(adapter.parameters(), lr=0.1)
    for x, _ in DataLoader(data, batch_size=32, shuffle=True):
        match(nn.MSELoss(), optimizer, student, adapter(x), x)

import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
    def forward(self, x):
        return F.softmax(self.fc(x), dim=1)

def train(loader):
    criterion = nn.CrossEntropyLoss()
    net = nn.DataParallel(Net()).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        total = 0.0
        for part in x:
            total += criterion(net(part), y)  # expect: SB101
        total.backward()
        opt.step()
        opt.zero_grad()

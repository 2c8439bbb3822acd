import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(width, 4)

    def forward(self, x, features=False):
        h = self.body(x)
        out = self.head(h)
        return (out, h) if features else out


def get_loaders():
    x, y = torch.randn(512, 8), torch.randint(0, 4, (512,))
    train = TensorDataset(x[:400], y[:400])
    val = TensorDataset(x[400:], y[400:])
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(val, batch_size=64)


def main():
    train_loader, _ = get_loaders()
    teacher = Net(128)
    teacher.eval()
    student = Net(16)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    T = 4.0
    student.train()
    for x, y in train_loader:
        with torch.no_grad():
            t = teacher(x)
        s = student(x)
        kd = F.kl_div(F.log_softmax(t / T, dim=1), F.softmax(s / T, dim=1), reduction="batchmean")  # expect: SB108
        loss = kd + F.cross_entropy(s, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()

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


def distill(student, teacher, loader, optimizer, T):
    student.train()
    teacher.eval()
    for x, y in loader:
        with torch.no_grad():
            t_logits = teacher(x)
        s_logits = student(x)
        kd = nn.KLDivLoss(reduction="batchmean")(F.log_softmax(s_logits / T, dim=-1), F.softmax(t_logits / T, dim=-1))
        loss = kd * T * T + F.cross_entropy(s_logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    train_loader, _ = get_loaders()
    teacher = Net(128)
    student = Net(16)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for epoch in range(10):
        distill(student, teacher, train_loader, optimizer, 4.0)


main()

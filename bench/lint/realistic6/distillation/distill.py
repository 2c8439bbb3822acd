"""Trains the teacher, then lets the student learn from it."""

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from losses import distill
from nets import make_pair


def moons(n):
    y = torch.randint(0, 2, (n,))
    a = 3.14159 * torch.rand(n)
    x = torch.stack([torch.cos(a), torch.sin(a)], 1)
    x[y == 1] = torch.tensor([1.0, 0.5]) - x[y == 1]
    return TensorDataset(x + 0.1 * torch.randn(n, 2), y)


@torch.no_grad()
def score(net, loader):
    net.eval()
    right = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    return right / len(loader.dataset)


def pretrain(teacher, loader, epochs):
    opt = torch.optim.Adam(teacher.parameters(), lr=1e-3)
    for _ in range(epochs):
        teacher.train()
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            opt.step()


def transfer(teacher, student, train_loader, test_loader, epochs):
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    teacher.eval()
    for epoch in range(epochs):
        student.train()
        for x, y in train_loader:
            with torch.no_grad():
                teacher_logits = teacher(x)
            loss = distill(student(x), teacher_logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"student {epoch}: {score(student, test_loader):.3f}")


def main():
    torch.manual_seed(8)
    train_loader = DataLoader(moons(512), batch_size=64, shuffle=True)
    test_loader = DataLoader(moons(128), batch_size=64)
    teacher, student = make_pair(2, 2)
    pretrain(teacher, train_loader, epochs=2)
    print(f"teacher: {score(teacher, test_loader):.3f}")
    transfer(teacher, student, train_loader, test_loader, epochs=2)


if __name__ == "__main__":
    main()

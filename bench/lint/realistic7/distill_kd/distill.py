#!/usr/bin/env python
"""Knowledge distillation (Hinton et al. 2015) with a hint loss on the features, on synthetic spectrograms."""
from argparse import ArgumentParser
from typing import Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset


def make_spectrograms(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 6, (n,), generator=g)
    x = 0.7 * torch.randn(n, 1, 12, 12, generator=g)
    for img, label in zip(x, y):
        img[0, 2 * int(label):2 * int(label) + 2] += 0.8
    return TensorDataset(x, y)


class ConvNet(nn.Module):
    def __init__(self, width: int, n_classes: int = 6) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(),
        )
        self.dropout = nn.Dropout(0.2)
        self.classifier = nn.Linear(2 * width * 36, n_classes)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        f = self.features(x)
        return self.classifier(self.dropout(f.flatten(1))), f


def kd_loss(student_logits: Tensor, teacher_logits: Tensor, T: float) -> Tensor:
    log_p = F.log_softmax(student_logits / T, dim=1)
    q = F.softmax(teacher_logits / T, dim=1)
    return F.kl_div(log_p, q, reduction="batchmean") * T * T


@torch.no_grad()
def accuracy(net: nn.Module, loader: DataLoader) -> float:
    was_training = net.training
    net.eval()
    correct = total = 0
    for x, y in loader:
        logits, _ = net(x)
        correct += (logits.argmax(dim=1) == y).sum().item()
        total += y.numel()
    net.train(was_training)
    return correct / total


def pretrain_teacher(loader: DataLoader, path: str, epochs: int = 1) -> None:
    teacher = ConvNet(width=12)
    opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
    teacher.train()
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(teacher(x)[0], y).backward()
            opt.step()
    torch.save(teacher.state_dict(), path)


def distill(args) -> None:
    torch.manual_seed(args.seed)
    train_loader = DataLoader(make_spectrograms(800, 0), batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(make_spectrograms(300, 1), batch_size=100)
    pretrain_teacher(train_loader, args.teacher)

    teacher = ConvNet(width=12)
    teacher.load_state_dict(torch.load(args.teacher, weights_only=True))
    teacher.eval()
    for p in teacher.parameters():
        p.requires_grad = False
    student = ConvNet(width=3)
    regressor = nn.Conv2d(6, 24, kernel_size=1)  # student features to the teacher's width

    optimizer = torch.optim.Adam([*student.parameters(), *regressor.parameters()], lr=args.lr)
    print(f"teacher accuracy: {accuracy(teacher, test_loader):.3f}")
    for epoch in range(args.epochs):
        student.train()
        for x, y in train_loader:
            with torch.no_grad():
                t_logits, t_feat = teacher(x)
            s_logits, s_feat = student(x)
            hard = F.cross_entropy(s_logits, y)
            soft = kd_loss(s_logits, t_logits, args.temperature)
            hint = F.mse_loss(regressor(s_feat), t_feat)
            loss = args.alpha * soft + (1 - args.alpha) * hard + args.beta * hint

            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}, student accuracy {accuracy(student, test_loader):.3f}")
    torch.save(student.state_dict(), args.output)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch_size", type=int, default=40)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--temperature", type=float, default=4.0)
    parser.add_argument("--alpha", type=float, default=0.7)
    parser.add_argument("--beta", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--teacher", default="teacher.pt")
    parser.add_argument("--output", default="student.pt")
    distill(parser.parse_args())

"""A small student learns from a wide teacher that was trained before."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

TEMPERATURE = 4.0
ALPHA = 0.7


def mlp(width):
    return nn.Sequential(
        nn.Linear(20, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.3), nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, 6),
    )


def blobs(n, seed):
    g = torch.Generator().manual_seed(seed)
    centers = 1.5 * torch.randn(6, 20, generator=torch.Generator().manual_seed(5))
    labels = torch.randint(0, 6, (n,), generator=g)
    return TensorDataset(centers[labels] + torch.randn(n, 20, generator=g), labels)


def accuracy(model, loader):
    model.eval()
    n_right = 0
    with torch.no_grad():
        for x, y in loader:
            n_right += (model(x).argmax(dim=1) == y).sum().item()
    return n_right / len(loader.dataset)


def train_teacher(teacher, loader, epochs):
    optimizer = torch.optim.Adam(teacher.parameters(), lr=1e-3)
    for _ in range(epochs):
        teacher.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            optimizer.step()


def distillation_loss(student_logits, teacher_logits, labels):
    soft = F.kl_div(
        F.log_softmax(student_logits / TEMPERATURE, dim=1),
        F.softmax(teacher_logits / TEMPERATURE, dim=1),
        reduction="batchmean",
    )
    hard = F.cross_entropy(student_logits, labels)
    return ALPHA * soft * TEMPERATURE**2 + (1 - ALPHA) * hard


def distill(student, teacher, loader, epochs):
    optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
    teacher.eval()
    history = []
    for _ in range(epochs):
        student.train()
        for x, y in loader:
            with torch.no_grad():
                teacher_logits = teacher(x)
            loss = distillation_loss(student(x), teacher_logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(loss.item())
    return history


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(blobs(384, 1), batch_size=32, shuffle=True)
    test_loader = DataLoader(blobs(96, 2), batch_size=96)
    teacher, student = mlp(64), mlp(16)
    train_teacher(teacher, train_loader, epochs=1)
    losses = distill(student, teacher, train_loader, epochs=1)
    print(f"teacher {accuracy(teacher, test_loader):.3f} student {accuracy(student, test_loader):.3f}")
    print(f"mean loss {sum(losses) / len(losses):.3f}")


if __name__ == "__main__":
    main()

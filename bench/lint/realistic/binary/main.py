import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from engine import evaluate, train_one_epoch
from models import RiskModel


def applicants(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 10, generator=g)
    score = x[:, 0] - 0.5 * x[:, 3] + 0.3 * torch.randn(n, generator=g)
    y = (score > 0.4).float()
    order = y.argsort()
    return TensorDataset(x[order], y[order])


def main(epochs=1):
    torch.manual_seed(0)
    device = torch.device("cpu")
    train_loader = DataLoader(applicants(320, 1), batch_size=32, shuffle=True)
    val_loader = DataLoader(applicants(96, 2), batch_size=48)
    model = RiskModel(10).to(device)
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(1.5))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    best = float("inf")
    for epoch in range(epochs):
        train_loss = train_one_epoch(model, train_loader, criterion, optimizer, device)
        val_loss, val_accuracy = evaluate(model, val_loader, criterion, device)
        scheduler.step(val_loss)
        print(f"{epoch}: train {train_loss:.4f} val {val_loss:.4f} accuracy {val_accuracy:.3f}")
        best = min(best, val_loss)
    print("best", best)


if __name__ == "__main__":
    main()

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from augment import TwoViews
from learner import BYOL


def pretrain(learner, loader, epochs, lr=1e-3):
    views = TwoViews()
    params = list(learner.online.parameters()) + list(learner.predictor.parameters())
    opt = torch.optim.Adam(params, lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    for epoch in range(epochs):
        running = 0.0
        for x, _ in loader:
            a, b = views(x)
            loss = learner(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            learner.update_target()
            running += loss.item()
        sched.step()
        print(f"pretrain {epoch}: {running / len(loader):.4f}")


def linear_probe(encoder, train_loader, test_loader, n_features=16, n_classes=4, epochs=1):
    encoder.eval()
    for p in encoder.parameters():
        p.requires_grad = False
    head = nn.Linear(n_features, n_classes)
    opt = torch.optim.SGD(head.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        for x, y in train_loader:
            with torch.no_grad():
                features = encoder(x)
            loss = criterion(head(features), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
    correct = count = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (head(encoder(x)).argmax(dim=1) == y).sum().item()
            count += y.size(0)
    return correct / count


def main():
    torch.manual_seed(7)
    signals = torch.randn(300, 32)
    data = TensorDataset(signals, signals[:, :4].argmax(dim=1))
    train_set, test_set = random_split(data, [240, 60])
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, batch_size=32)
    learner = BYOL()
    pretrain(learner, train_loader, epochs=1)
    print("probe", linear_probe(learner.online, train_loader, test_loader))


if __name__ == "__main__":
    main()

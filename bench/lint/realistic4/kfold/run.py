import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

from loops import fit_epoch, score
from nets import make_mlp


def folds(n, k):
    parts = torch.randperm(n).chunk(k)
    for i in range(k):
        train = torch.cat([p for j, p in enumerate(parts) if j != i])
        yield train.tolist(), parts[i].tolist()


def main(k=3, epochs=2, lr=1e-2):
    torch.manual_seed(4)
    x = torch.randn(240, 10)
    y = (x[:, 0] + x[:, 1] > 0).long() + (x[:, 2] > 1).long()
    data = TensorDataset(x, y)
    results = []
    for fold, (train_ids, test_ids) in enumerate(folds(len(data), k)):
        train_loader = DataLoader(Subset(data, train_ids), batch_size=24, shuffle=True)
        test_loader = DataLoader(Subset(data, test_ids), batch_size=40)
        net = make_mlp(10, 32, 3)
        loss_fn = nn.CrossEntropyLoss()
        optimiser = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=epochs)
        for epoch in range(epochs):
            loss = fit_epoch(net, train_loader, loss_fn, optimiser)
            accuracy = score(net, test_loader)
            schedule.step()
            print(f"fold {fold} epoch {epoch} loss {loss:.4f} accuracy {accuracy:.3f}")
        results.append(accuracy)
    print("mean", sum(results) / len(results))


if __name__ == "__main__":
    main()

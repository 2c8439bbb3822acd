"""Prototypical networks on random episodes."""
import torch
from torch import nn, optim
from torch.nn import functional as F


class Embedder(nn.Module):
    def __init__(self, n_in=20, n_out=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, n_out))

    def forward(self, x):
        return self.net(x)


class EpisodeSampler:
    def __init__(self, n_classes, ways=5, shots=3, queries=4, dim=20, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.centres = torch.randn(n_classes, dim, generator=self.g)
        self.ways, self.shots, self.queries = ways, shots, queries

    def sample(self):
        classes = torch.randperm(len(self.centres), generator=self.g)[: self.ways]
        each = self.shots + self.queries
        x = self.centres[classes].unsqueeze(1) + 0.5 * torch.randn(self.ways, each, self.centres.size(1), generator=self.g)
        support, query = x[:, : self.shots], x[:, self.shots :]
        labels = torch.arange(self.ways).repeat_interleave(self.queries)
        return support, query.reshape(-1, x.size(-1)), labels


def logits_of(net, support, query):
    ways, shots, dim = support.shape
    prototypes = net(support.reshape(-1, dim)).view(ways, shots, -1).mean(dim=1)
    return -torch.cdist(net(query), prototypes) ** 2


def accuracy(log_p, labels):
    return (log_p.argmax(dim=1) == labels).float().mean()


def meta_train(net, sampler, optimizer, episodes):
    net.train()
    meter = {"loss": 0.0, "acc": 0.0}
    for _ in range(episodes):
        support, query, labels = sampler.sample()
        log_p = F.log_softmax(logits_of(net, support, query), dim=1)
        loss = F.nll_loss(log_p, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter["loss"] += loss.item()
        meter["acc"] += accuracy(log_p, labels).item()
    return {k: v / episodes for k, v in meter.items()}


def meta_test(net, sampler, episodes):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for _ in range(episodes):
            support, query, labels = sampler.sample()
            total += accuracy(logits_of(net, support, query), labels).item()
    return total / episodes


def main(epochs=1):
    torch.manual_seed(0)
    net = Embedder()
    optimizer = optim.Adam(net.parameters(), lr=1e-3)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 10, 0.5)
    train_sampler, test_sampler = EpisodeSampler(40, seed=1), EpisodeSampler(12, seed=2)
    for epoch in range(epochs):
        stats = meta_train(net, train_sampler, optimizer, 20)
        scheduler.step()
        print(epoch, stats, "test", meta_test(net, test_sampler, 10))


if __name__ == "__main__":
    main()

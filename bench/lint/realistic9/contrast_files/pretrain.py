import torch
from torch import nn
from torch.utils.data import DataLoader

from encoder import Momentum
from objective import info_nce, spread
from views import N_KINDS, Augment, Pairs, centre, textures


def features(net, x):
    net.eval()
    with torch.no_grad():
        return torch.cat([net(part) for part in centre(x).split(64)])


def knn(bank, bank_y, x, y, k=5):
    bank, x = nn.functional.normalize(bank, dim=1), nn.functional.normalize(x, dim=1)
    near = (x @ bank.t()).topk(k, dim=1).indices
    votes = nn.functional.one_hot(bank_y[near], N_KINDS).sum(dim=1)
    return (votes.argmax(dim=1) == y).float().mean().item()


def probe(body, train, test, steps=40):
    """A linear head on the frozen body."""
    body.requires_grad_(False)
    x, y = features(body, train[0]), train[1]
    head = nn.Linear(x.size(1), N_KINDS)
    opt = torch.optim.LBFGS(head.parameters(), lr=0.5, max_iter=steps)

    def closure():
        opt.zero_grad()
        loss = nn.functional.cross_entropy(head(x), y) + 1e-3 * head.weight.pow(2).sum()
        loss.backward()
        return loss

    opt.step(closure)
    return (head(features(body, test[0])).argmax(1) == test[1]).float().mean().item()


def pretrain(model, loader, epochs, temperature=0.2):
    learned = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(learned, lr=0.06, momentum=0.9, weight_decay=5e-4)
    for epoch in range(epochs):
        model.train()
        losses = []
        for a, b in loader:
            model.follow()
            q, k = model(a, b)
            loss = info_nce(q, k, model.queue, temperature) + 0.5 * spread(q)
            opt.zero_grad()
            loss.backward()
            opt.step()
            model.enqueue(k)
            losses.append(loss.item())
        print(epoch, f"{sum(losses) / len(losses):.4f}")


def main():
    torch.manual_seed(4)
    train, test = textures(384, 0), textures(120, 1)
    loader = DataLoader(Pairs(train[0], Augment()), batch_size=32, shuffle=True, drop_last=True)
    model = Momentum()
    pretrain(model, loader, epochs=1)
    bank, probe_x = features(model.query, train[0]), features(model.query, test[0])
    print(f"knn {knn(bank, train[1], probe_x, test[1]):.3f} probe {probe(model.query, train, test):.3f}")


if __name__ == "__main__":
    main()

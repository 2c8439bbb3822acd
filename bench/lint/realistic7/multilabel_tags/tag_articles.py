"""Multi-label tagging of bag-of-words articles."""
import logging
from dataclasses import dataclass, field

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
log = logging.getLogger("tags")
TAGS = ["politics", "sport", "music", "science", "travel"]


@dataclass
class Args:
    n_words: int = 120
    hidden: int = 64
    epochs: int = 1
    bs: int = 32
    lr: float = 1e-2
    seed: int = 5
    thresholds: list = field(default_factory=lambda: [0.2, 0.3, 0.4, 0.5, 0.6, 0.7])


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


def make_articles(args, n=1500):
    rng = np.random.default_rng(args.seed)
    y = (rng.random((n, len(TAGS))) < [0.3, 0.25, 0.15, 0.1, 0.08]).astype(np.float32)
    topics = rng.random((len(TAGS), args.n_words)) ** 6
    x = rng.poisson(0.3 + y @ topics).astype(np.float32)
    order = rng.permutation(n)
    return x[order], y[order]


class Tagger(nn.Module):
    def __init__(self, n_words, hidden, n_tags):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_words, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.3),
                                 nn.Linear(hidden, n_tags))

    def forward(self, x):
        return self.net(torch.log1p(x))


def predict(model, loader):
    model.eval()
    scores, labels = [], []
    with torch.no_grad():
        for x, y in loader:
            scores.append(torch.sigmoid(model(x)))
            labels.append(y)
    return torch.cat(scores), torch.cat(labels)


def f1_score(scores, labels, threshold):
    """F1 averaged over the tags."""
    pred = (scores > threshold).float()
    tp = (pred * labels).sum(dim=0)
    f1 = 2 * tp / (pred.sum(dim=0) + labels.sum(dim=0)).clamp(min=1)
    return f1.mean().item()


def main(args=Args()):
    torch.manual_seed(args.seed)
    x, y = (torch.from_numpy(a) for a in make_articles(args))
    train = TensorDataset(x[:1000], y[:1000])
    val = TensorDataset(x[1000:1250], y[1000:1250])
    test = TensorDataset(x[1250:], y[1250:])
    train_dl = DataLoader(train, batch_size=args.bs, shuffle=True)
    val_dl, test_dl = DataLoader(val, batch_size=250), DataLoader(test, batch_size=250)

    positive = y[:1000].sum(dim=0)
    pos_weight = (1000 - positive) / positive.clamp(min=1)
    criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
    model = Tagger(args.n_words, args.hidden, len(TAGS))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    writer = SummaryWriter("runs/tags")

    step = 0
    for epoch in range(args.epochs):
        losses, exact = AverageMeter(), AverageMeter()
        model.train()
        for xb, yb in train_dl:
            logits = model(xb)
            loss = criterion(logits, yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.update(loss.item(), len(yb))
            hit = ((logits > 0) == yb.bool()).all(dim=1)
            exact.update(hit.float().mean().item(), len(yb))
            writer.add_scalar("train/loss", loss.item(), step)
            step += 1
        scores, labels = predict(model, val_dl)
        best_t = max(args.thresholds, key=lambda t: f1_score(scores, labels, t))
        log.info("epoch %d loss %.4f exact %.3f val f1 %.3f at %.1f", epoch, losses.avg, exact.avg,
                 f1_score(scores, labels, best_t), best_t)
    scores, labels = predict(model, test_dl)
    log.info("test f1 %.3f", f1_score(scores, labels, best_t))
    writer.close()


if __name__ == "__main__":
    main()

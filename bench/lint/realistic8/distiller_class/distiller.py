import copy
import logging
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

cfg = SimpleNamespace(epochs=1, teacher_epochs=2, bs=32, lr=2e-3, T=3.0, alpha=0.7, beta=0.1, classes=5, seed=99)
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")


def rows(n, seed):
    g = torch.Generator().manual_seed(seed)
    tokens = torch.randint(5, 60, (n, 12), generator=g)
    y = torch.randint(0, cfg.classes, (n,), generator=g)
    tokens[torch.arange(n), torch.randint(0, 12, (n,), generator=g)] = y
    return TensorDataset(tokens, y)


class Encoder(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.embed = nn.Embedding(60, dim)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, 2, 2 * dim, dropout=0.1, batch_first=True) for _ in range(depth))
        self.out = nn.Linear(dim, cfg.classes)

    def forward(self, tokens):
        h = self.embed(tokens)
        for layer in self.layers:
            h = layer(h)
        pooled = h.mean(dim=1)
        return self.out(pooled), pooled


class Distiller(nn.Module):
    def __init__(self, teacher: Encoder, dim: int = 32):
        super().__init__()
        self.teacher = teacher.requires_grad_(False)
        self.student = Encoder(dim, depth=2)
        self.student.embed = copy.deepcopy(teacher.embed).requires_grad_(True)
        for mine, theirs in enumerate((0, 3)):
            self.student.layers[mine] = copy.deepcopy(teacher.layers[theirs]).requires_grad_(True)
        self.project = nn.Linear(dim, dim)
        self.taps = {}
        self.student.out.register_forward_hook(self._tap)

    def _tap(self, module, args, output):
        self.taps["student"] = args[0]

    def train(self, mode: bool = True):
        super().train(mode)
        self.teacher.eval()
        return self

    @torch.no_grad()
    def teach(self, tokens):
        return self.teacher(tokens)

    def loss(self, tokens, y):
        t_logits, t_pooled = self.teach(tokens)
        logits, _ = self.student(tokens)
        log_s = F.log_softmax(logits / cfg.T, dim=-1)
        log_t = F.log_softmax(t_logits / cfg.T, dim=-1)
        kd = F.kl_div(log_s, log_t, reduction="batchmean", log_target=True) * cfg.T ** 2
        cos = 1 - F.cosine_similarity(self.project(self.taps["student"]), t_pooled, dim=-1).mean()
        return cfg.alpha * kd + (1 - cfg.alpha) * F.cross_entropy(logits, y) + cfg.beta * cos

    @torch.no_grad()
    def accuracy(self, loader):
        self.eval()
        right = sum((self.student(tokens)[0].argmax(-1) == y).sum().item() for tokens, y in loader)
        return right / len(loader.dataset)


def pretrain(loader):
    teacher = Encoder(32, depth=4)
    opt = optim.AdamW(teacher.parameters(), lr=cfg.lr)
    teacher.train()
    for _ in range(cfg.teacher_epochs):
        for tokens, y in loader:
            opt.zero_grad()
            F.cross_entropy(teacher(tokens)[0], y).backward()
            opt.step()
    return teacher


def main():
    torch.manual_seed(cfg.seed)
    train_loader = DataLoader(rows(640, 0), cfg.bs, shuffle=True)
    test_loader = DataLoader(rows(200, 1), cfg.bs)
    distiller = Distiller(pretrain(train_loader))
    opt = optim.AdamW([p for p in distiller.parameters() if p.requires_grad], lr=cfg.lr)
    steps = cfg.epochs * len(train_loader)
    warm = optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, 10 * (s + 1) / steps))
    for epoch in range(cfg.epochs):
        distiller.train()
        running = 0.0
        for tokens, y in tqdm(train_loader, desc=f"epoch {epoch}"):
            loss = distiller.loss(tokens, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            warm.step()
            running += loss.item() * len(y)
        acc = distiller.accuracy(test_loader)
        logging.info("epoch %d loss %.4f acc %.3f", epoch, running / len(train_loader.dataset), acc)


if __name__ == "__main__":
    main()

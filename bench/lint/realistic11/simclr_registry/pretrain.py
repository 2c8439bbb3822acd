from itertools import chain

import torch
import torch.nn.functional as F
from torch import nn

from config import Config
from registry import ENCODERS, LOSSES, OPTIMIZERS, Projector, build
from views import N_KINDS, make_loaders


def pretrain(cfg, encoder, projector, pairs):
    criterion = build(LOSSES, cfg.loss, cfg).to(cfg.device)
    learnt = list(chain(encoder.parameters(), projector.parameters(), criterion.parameters()))
    optimizer = build(OPTIMIZERS, cfg.optim.name, learnt, cfg.optim)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs * len(pairs))
    for epoch in range(cfg.epochs):
        encoder.train()
        projector.train()
        total = 0.0
        for a, b in pairs:
            a, b = a.to(cfg.device), b.to(cfg.device)
            z1, z2 = projector(encoder(a)), projector(encoder(b))
            loss = criterion(z1, z2)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        print(f"pretrain {epoch}: {total / len(pairs):.4f}  scale {criterion.log_scale.exp().item():.2f}")


def fit_probe(cfg, encoder, labelled):
    """A linear layer on top of the finished encoder."""
    probe = nn.Linear(encoder.out_dim, N_KINDS).to(cfg.device)
    optimizer = build(OPTIMIZERS, cfg.probe_optim.name, probe.parameters(), cfg.probe_optim)
    encoder.eval()
    for epoch in range(cfg.probe_epochs):
        for x, y in labelled:
            x, y = x.to(cfg.device), y.to(cfg.device)
            with torch.no_grad():
                h = encoder(x)
            loss = F.cross_entropy(probe(h), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return probe


@torch.no_grad()
def accuracy(cfg, encoder, probe, loader):
    encoder.eval()
    right = 0
    for x, y in loader:
        x, y = x.to(cfg.device), y.to(cfg.device)
        right += (probe(encoder(x)).argmax(dim=1) == y).sum().item()
    return right / len(loader.dataset)


def main(cfg):
    torch.manual_seed(cfg.seed)
    pairs, labelled, test = make_loaders(cfg)
    encoder = build(ENCODERS, cfg.encoder, cfg).to(cfg.device)
    projector = Projector(encoder.out_dim, cfg.embed_dim).to(cfg.device)

    pretrain(cfg, encoder, projector, pairs)
    probe = fit_probe(cfg, encoder, labelled)
    print(f"linear probe: test accuracy {accuracy(cfg, encoder, probe, test):.3f}")

    untrained = build(ENCODERS, cfg.encoder, cfg).to(cfg.device)
    lower = fit_probe(cfg, untrained, labelled)
    print(f"untrained encoder: test accuracy {accuracy(cfg, untrained, lower, test):.3f}")
    torch.save({"encoder": encoder.state_dict(), "probe": probe.state_dict()}, "simclr.pt")


if __name__ == "__main__":
    main(Config())

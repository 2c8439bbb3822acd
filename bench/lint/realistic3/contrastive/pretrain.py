"""Contrastive pretraining, then a linear probe on frozen features."""
import argparse

import torch
import torch.nn as nn

from dataset import make_loaders
from encoder import ConvEncoder, SimCLR, nt_xent


def pretrain_epoch(model, loader, optimizer, scheduler):
    model.train()
    total = 0.0
    for view_a, view_b in loader:
        loss = nt_xent(model(view_a), model(view_b))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()
    return total / len(loader)


def train_probe(encoder, loader, epochs):
    encoder.eval()
    probe = nn.Linear(32, 2)
    optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)
    loss_fn = nn.CrossEntropyLoss()
    for _ in range(epochs):
        for images, labels in loader:
            with torch.no_grad():
                features = encoder(images)
            logits = probe(features)
            loss = loss_fn(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return probe


@torch.no_grad()
def test_probe(encoder, probe, loader):
    encoder.eval()
    correct = count = 0
    for images, labels in loader:
        predicted = probe(encoder(images)).argmax(dim=1)
        correct += (predicted == labels).sum().item()
        count += labels.numel()
    return correct / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)

    pretrain_loader, probe_train, probe_test = make_loaders(args)
    model = SimCLR(ConvEncoder())
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-6)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    for epoch in range(args.epochs):
        loss = pretrain_epoch(model, pretrain_loader, optimizer, scheduler)
        probe = train_probe(model.encoder, probe_train, epochs=1)
        accuracy = test_probe(model.encoder, probe, probe_test)
        print(f"epoch {epoch}: loss {loss:.4f} probe accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()

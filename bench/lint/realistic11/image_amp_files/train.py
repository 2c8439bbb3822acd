"""python train.py"""
import math
import os
import tempfile

import torch
from torch import nn

from config import Config
from data import make_loaders
from net import build, save


def warmup_cosine(optimizer, warmup, total):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def train_one_epoch(net, loader, criterion, optimizer, scheduler, scaler, cfg):
    net.train()
    running = 0.0
    for images, labels in loader:
        images, labels = images.to(cfg.device), labels.to(cfg.device)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(cfg.device.type, enabled=cfg.amp):
            loss = criterion(net(images), labels)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), cfg.clip)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        running += loss.item()
    return running / len(loader)


@torch.no_grad()
def validate(net, loader, criterion, cfg):
    net.eval()
    loss_sum, correct, seen = 0.0, 0, 0
    for images, labels in loader:
        images, labels = images.to(cfg.device), labels.to(cfg.device)
        logits = net(images)
        loss_sum += criterion(logits, labels).item() * len(labels)
        correct += (logits.argmax(dim=1) == labels).sum().item()
        seen += len(labels)
    return loss_sum / seen, correct / seen


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train_loader, val_loader = make_loaders(cfg)
    net = build(cfg)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    scheduler = warmup_cosine(optimizer, cfg.warmup, cfg.epochs * len(train_loader))
    scaler = torch.amp.GradScaler(cfg.device.type, enabled=cfg.amp)

    best_acc = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "best.pt")
        save(path, net, optimizer, -1)
        for epoch in range(cfg.epochs):
            train_loss = train_one_epoch(net, train_loader, criterion, optimizer, scheduler, scaler, cfg)
            val_loss, val_acc = validate(net, val_loader, criterion, cfg)
            if val_acc > best_acc:
                best_acc = val_acc
                save(path, net, optimizer, epoch)
            print(f"{epoch}: train {train_loss:.3f}  val {val_loss:.3f}  acc {val_acc:.3f}")
        state = torch.load(path, map_location=cfg.device)
        net.load_state_dict(state["net"])
    print(f"best: epoch {state['epoch']} acc {validate(net, val_loader, criterion, cfg)[1]:.3f}")


if __name__ == "__main__":
    main()

"""Training and evaluation of one epoch; everything needed comes in from outside."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossEntropyDice(nn.Module):
    """Cross-entropy plus the soft Dice loss of the foreground classes."""

    def __init__(self, n_classes: int, dice_weight: float = 0.5):
        super().__init__()
        self.n_classes = n_classes
        self.dice_weight = dice_weight
        self.ce = nn.CrossEntropyLoss()

    def forward(self, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        probs = F.softmax(logits, dim=1)
        onehot = F.one_hot(target, self.n_classes).permute(0, 3, 1, 2).to(probs.dtype)
        overlap = (probs * onehot).sum(dim=(0, 2, 3))
        total = probs.sum(dim=(0, 2, 3)) + onehot.sum(dim=(0, 2, 3))
        dice = (2 * overlap + 1) / (total + 1)
        return self.ce(logits, target) + self.dice_weight * (1 - dice[1:].mean())


def train_one_epoch(model, loader, criterion, optimizer, scheduler, device) -> float:
    model.train()
    running, seen = 0.0, 0
    for images, masks in loader:
        images, masks = images.to(device), masks.to(device)
        optimizer.zero_grad()
        loss = criterion(model(images), masks)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(images)
        seen += len(images)
    return running / seen


@torch.no_grad()
def evaluate(model, loader, criterion, n_classes: int, device) -> tuple[float, float]:
    model.eval()
    loss_sum, seen = 0.0, 0
    inter = torch.zeros(n_classes, device=device)
    union = torch.zeros(n_classes, device=device)
    for images, masks in loader:
        images, masks = images.to(device), masks.to(device)
        logits = model(images)
        loss_sum += criterion(logits, masks) * len(images)
        seen += len(images)
        pred = logits.argmax(dim=1)
        for c in range(n_classes):
            inter[c] += ((pred == c) & (masks == c)).sum()
            union[c] += ((pred == c) | (masks == c)).sum()
    iou = inter / union.clamp(min=1)
    return (loss_sum / seen).item(), iou[1:].mean().item()

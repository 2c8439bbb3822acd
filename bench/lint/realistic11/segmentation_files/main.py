"""Segment cells and rods: `python main.py`."""
import copy

import torch

from data import make_loaders
from engine import CrossEntropyDice, evaluate, train_one_epoch
from model import SmallUNet

N_CLASSES = 3
EPOCHS = 6
N_FIELDS = 200


def main() -> None:
    torch.manual_seed(7)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, val_loader = make_loaders(N_FIELDS, size=32, batch_size=16)

    model = SmallUNet(N_CLASSES).to(device)
    criterion = CrossEntropyDice(N_CLASSES).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=1e-2, total_steps=EPOCHS * len(train_loader)
    )

    best_iou, best_state = -1.0, None
    for epoch in range(EPOCHS):
        train_loss = train_one_epoch(model, train_loader, criterion, optimizer, scheduler, device)
        val_loss, iou = evaluate(model, val_loader, criterion, N_CLASSES, device)
        print(f"epoch {epoch}: train {train_loss:.3f}  val {val_loss:.3f}  mIoU {iou:.3f}")
        if iou > best_iou:
            best_iou = iou
            best_state = copy.deepcopy(model.state_dict())

    model.load_state_dict(best_state)
    val_loss, iou = evaluate(model, val_loader, criterion, N_CLASSES, device)
    print(f"best weights: val {val_loss:.3f}  mIoU {iou:.3f}")
    torch.save(model.state_dict(), "unet.pt")


if __name__ == "__main__":
    main()

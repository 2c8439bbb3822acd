import argparse

import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, Dataset

from backbone import pretrained
from engine import evaluate, train_one_epoch


class Flowers(Dataset):
    def __init__(self, split, n=96, transform=None):
        self.images = torch.rand(n, 3, 16, 16)
        self.labels = (self.images[:, 0].mean(dim=(1, 2)) > 0.5).long()
        self.split = split
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = self.images[i]
        if self.transform is not None:
            image = self.transform(image)
        return image, self.labels[i]


def random_flip(image):
    return image.flip(-1) if torch.rand(()) < 0.5 else image


def build_model(num_classes, freeze):
    model = pretrained()
    if freeze:
        for param in model.parameters():
            param.requires_grad = False
    model.fc = nn.Linear(model.fc.in_features, num_classes)
    return model


def get_args():
    parser = argparse.ArgumentParser(description="fine tuning")
    parser.add_argument("--epochs", default=1, type=int)
    parser.add_argument("--batch-size", default=16, type=int)
    parser.add_argument("--lr", default=0.01, type=float)
    parser.add_argument("--freeze", action="store_true")
    return parser.parse_args()


def main():
    args = get_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    train_data = Flowers("train", transform=random_flip)
    val_data = Flowers("val", 48)
    train_loader = DataLoader(train_data, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_data, batch_size=args.batch_size)
    model = build_model(2, args.freeze).to(device)
    criterion = nn.CrossEntropyLoss()
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(parameters, lr=args.lr, momentum=0.9)
    scheduler = lr_scheduler.MultiStepLR(optimizer, milestones=[3, 6])
    for epoch in range(args.epochs):
        train_one_epoch(model, criterion, optimizer, train_loader, device, epoch)
        scheduler.step()
        val_loss, val_acc = evaluate(model, criterion, val_loader, device)
        print(f"val loss {val_loss:.4f} acc {val_acc:.4f}")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "args": vars(args)}, "checkpoint.pth")


if __name__ == "__main__":
    main()

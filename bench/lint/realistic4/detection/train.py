import os
import sys

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from boxes import OneBox
from detector import Detector


def iou(a, b):
    lo = torch.maximum(a[:, :2] - a[:, 2:] / 2, b[:, :2] - b[:, 2:] / 2)
    hi = torch.minimum(a[:, :2] + a[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2)
    inter = (hi - lo).clamp(min=0).prod(dim=1)
    return inter / (a[:, 2:].prod(dim=1) + b[:, 2:].prod(dim=1) - inter)


class Runner:
    def __init__(self, folder, epochs):
        self.folder = folder
        self.epochs = epochs
        self.loaders = {
            phase: DataLoader(OneBox(96 if phase == "train" else 32, phase == "train"), batch_size=16, shuffle=phase == "train")
            for phase in ("train", "val")
        }
        self.model = Detector()
        self.box_loss = nn.L1Loss()
        self.cls_loss = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=5)

    def train_epoch(self):
        self.model.train()
        losses = []
        for images, boxes, classes in self.loaders["train"]:
            out = self.model(images)
            loss = 5 * self.box_loss(out.boxes, boxes) + self.cls_loss(out.logits, classes)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        self.scheduler.step()
        return sum(losses) / len(losses)

    def val_epoch(self):
        self.model.eval()
        overlap = hits = count = 0
        with torch.no_grad():
            for images, boxes, classes in self.loaders["val"]:
                out = self.model(images)
                overlap += iou(out.boxes, boxes).sum().item()
                hits += (out.logits.argmax(1) == classes).sum().item()
                count += len(images)
        return overlap / count, hits / count

    def run(self):
        best = 0.0
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            mean_iou, accuracy = self.val_epoch()
            sys.stdout.write(f"[{epoch}] {train_loss:.4f} iou {mean_iou:.3f} acc {accuracy:.3f}\n")
            if mean_iou >= best:
                best = mean_iou
                torch.save(self.model.state_dict(), os.path.join(self.folder, "best.pth"))


if __name__ == "__main__":
    torch.manual_seed(2)
    Runner(".", epochs=2).run()

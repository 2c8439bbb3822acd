import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

from base import BaseTrainer
from pointnet import PointNet


class Clouds(Dataset):
    def __init__(self, n, n_points=24, n_classes=3, train=True):
        g = torch.Generator().manual_seed(n)
        self.labels = torch.randint(n_classes, (n,), generator=g)
        self.points = torch.randn(n, n_points, 3, generator=g) * (1 + self.labels.view(-1, 1, 1))
        self.train = train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        points = self.points[i]
        if self.train:
            points = points + 0.02 * torch.randn_like(points)
        return points, self.labels[i]


class Classifier(BaseTrainer):
    def build(self):
        cfg = self.cfg
        self.model = PointNet(cfg["n_classes"]).to(self.device)
        self.train_loader = DataLoader(Clouds(192), batch_size=cfg["batch_size"], shuffle=True)
        self.val_loader = DataLoader(Clouds(48, train=False), batch_size=cfg["batch_size"])
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=5, gamma=0.5)

    def train_step(self, batch):
        points, labels = batch
        logits = self.model(points)
        return self.criterion(logits, labels)

    def val_step(self, batch):
        points, labels = batch
        predicted = self.model(points).argmax(dim=1)
        return (predicted == labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(1)
    Classifier({"device": "cpu", "epochs": 1, "n_classes": 3, "batch_size": 24, "lr": 1e-3}).run()

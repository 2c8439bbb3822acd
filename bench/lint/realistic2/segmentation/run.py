import torch
from torch.utils.data import DataLoader, TensorDataset

from losses import DiceBCELoss
from unet import UNet


def discs(n, seed):
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    centers = 4 + 8 * torch.rand(n, 2, generator=g)
    distance = (yy - centers[:, 0, None, None]) ** 2 + (xx - centers[:, 1, None, None]) ** 2
    masks = (distance < 9).float()[:, None]
    return TensorDataset(masks + 0.5 * torch.randn(n, 1, 16, 16, generator=g), masks)


class Runner:
    def __init__(self, model, lr):
        self.model = model
        self.loss_fn = DiceBCELoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, images, masks):
        loss = self.loss_fn(self.model(images), masks)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss

    def train(self, loader):
        self.model.train()
        total = 0.0
        for images, masks in loader:
            total += self.step(images, masks).item()
        return total / len(loader)

    def iou(self, loader):
        self.model.eval()
        inter = union = 0
        with torch.no_grad():
            for images, masks in loader:
                predicted = self.model(images) > 0
                inter += (predicted & (masks > 0)).sum().item()
                union += (predicted | (masks > 0)).sum().item()
        return inter / max(union, 1)


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(discs(96, 0), batch_size=16, shuffle=True)
    val_loader = DataLoader(discs(32, 1), batch_size=16)
    runner = Runner(UNet(), lr=1e-3)
    for epoch in range(1):
        print(epoch, runner.train(train_loader), runner.iou(val_loader))


if __name__ == "__main__":
    main()

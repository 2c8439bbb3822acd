"""Fine-tunes the head, then all, of a small vision network with accelerate."""
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def textures(n, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 3, (n,), generator=g)
    rows = torch.linspace(0, 12.0, 16)
    base = torch.stack([rows.sin().expand(16, 16), rows.sin().expand(16, 16).T, torch.zeros(16, 16)])
    return TensorDataset((base[labels] + 0.5 * torch.randn(n, 16, 16, generator=g))[:, None], labels)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.bn2 = nn.BatchNorm2d(16)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        return x.mean(dim=(2, 3))


class TextureNet(nn.Module):
    def __init__(self, backbone, n_classes):
        super().__init__()
        self.backbone = backbone
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(16, n_classes)

    def forward(self, x):
        return self.fc(self.drop(self.backbone(x)))


def build(n_classes):
    model = TextureNet(Backbone(), 1000)
    for p in model.backbone.parameters():
        p.requires_grad = False
    model.fc = nn.Linear(model.fc.in_features, n_classes)
    return model


def train(accelerator, model, optimizer, loader, epochs=1):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        model.backbone.eval()
        for images, labels in loader:
            with accelerator.accumulate(model):
                logits = model(images)
                loss = criterion(logits, labels)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch} loss {loss.item():.4f}")


def validate(accelerator, model, loader):
    model.eval()
    right, seen = 0, 0
    for images, labels in loader:
        with torch.inference_mode():
            predicted = model(images).argmax(dim=-1)
        predicted, labels = accelerator.gather_for_metrics((predicted, labels))
        right += (predicted == labels).sum().item()
        seen += labels.shape[0]
    return right / seen


def main():
    torch.manual_seed(0)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    train_loader = DataLoader(textures(192, 1), batch_size=16, shuffle=True)
    val_loader = DataLoader(textures(48, 2), batch_size=16)
    model = build(n_classes=3)
    optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.05, momentum=0.9)
    model, optimizer, train_loader, val_loader = accelerator.prepare(model, optimizer, train_loader, val_loader)
    train(accelerator, model, optimizer, train_loader)
    accelerator.print(f"accuracy {validate(accelerator, model, val_loader):.3f}")


if __name__ == "__main__":
    main()

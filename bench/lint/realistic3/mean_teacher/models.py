import torch.nn as nn


def conv_block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.LeakyReLU(0.1), nn.MaxPool2d(2))


class SmallConv(nn.Module):
    def __init__(self, n_classes=5):
        super().__init__()
        self.features = nn.Sequential(conv_block(1, 8), conv_block(8, 16))
        self.drop = nn.Dropout(0.5)
        self.classifier = nn.Linear(16, n_classes)

    def forward(self, x):
        h = self.features(x).mean(dim=(2, 3))
        return self.classifier(self.drop(h))


def create_model(ema=False):
    model = SmallConv()
    if ema:
        for param in model.parameters():
            param.detach_()
    return model

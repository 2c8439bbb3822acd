import torch
import torch.nn as nn


def stage(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Backbone(nn.Module):
    out_dim = 48

    def __init__(self):
        super().__init__()
        self.s1, self.s2 = stage(3, 24), stage(24, 48)

    def forward(self, x):
        return self.s2(self.s1(x)).mean(dim=(2, 3))


class Pretext(nn.Module):
    """Backbone and a head that tells by how many quarter turns a picture is rotated."""

    def __init__(self):
        super().__init__()
        self.encoder = Backbone()
        self.turns = nn.Linear(Backbone.out_dim, 4)

    def forward(self, x):
        return self.turns(self.encoder(x))


class Transfer(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.adapter = nn.Linear(Backbone.out_dim, 32)
        self.head = nn.Linear(32, n_classes)
        self.frozen = False
        self.reset()

    def reset(self):
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(m.weight)

    def load_backbone(self, path):
        state = torch.load(path, weights_only=True)
        own = {k.removeprefix("encoder."): v for k, v in state.items() if k.startswith("encoder.")}
        self.backbone.load_state_dict(own)

    def freeze(self, frozen=True):
        self.frozen = frozen
        for p in self.backbone.parameters():
            p.requires_grad = not frozen

    def train(self, mode=True):
        super().train(mode)
        if self.frozen:
            self.backbone.eval()
        return self

    def forward(self, x):
        return torch.log_softmax(self.head(torch.relu(self.adapter(self.backbone(x)))), dim=1)

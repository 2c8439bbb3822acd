import torch
import torch.nn as nn


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.GroupNorm(4, o), nn.ReLU())


class ThreeHeads(nn.Module):
    def __init__(self, n_seg, n_tags, width=24):
        super().__init__()
        self.stem = nn.Sequential(conv(3, width), conv(width, width))
        self.heads = nn.ModuleDict({"seg": nn.Conv2d(width, n_seg, 1), "depth": nn.Conv2d(width, 1, 1), "tags": nn.Linear(width, n_tags)})
        self.log_vars = nn.Parameter(torch.zeros(3))

    def forward(self, image):
        h = self.stem(image)
        return {
            "seg": self.heads["seg"](h),
            "depth": self.heads["depth"](h).squeeze(1),
            "tags": self.heads["tags"](h.amax(dim=(2, 3))),
            "log_vars": self.log_vars.clone(),  # an output that is a leaf confuses the reducer
        }

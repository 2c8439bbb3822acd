import torch
from torch import nn


class Net(nn.Module):
    def reset(self):
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.ones_(m.weight)  # expect: SB267

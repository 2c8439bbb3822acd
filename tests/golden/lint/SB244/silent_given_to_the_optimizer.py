import torch
import torch.nn as nn


class Prompt(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = torch.zeros(3, requires_grad=True)

    def forward(self, x):
        return self.image + x


prompt = Prompt()
optimizer = torch.optim.Adam([prompt.image], lr=0.1)

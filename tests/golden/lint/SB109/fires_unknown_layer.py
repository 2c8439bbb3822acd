import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        return self.fc(x).squeeze(1)


scores = Scores()
for x in [torch.zeros(3, 2, 2)]:
    p = torch.softmax(scores(x.flatten(1)), dim=0)  # expect: SB109 low

import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, use_l1):
        super().__init__()
        self.use_l1 = use_l1
        self.l1 = nn.L1Loss(reduction="none")

    def forward(self, output, target):
        loss = (output - target).pow(2).mean()
        if self.use_l1:
            loss_l1 = self.l1(output.view(-1, 4), target).sum() / 2
        else:
            loss_l1 = 0.0
        loss = loss + loss_l1
        return loss, torch.cat((loss.unsqueeze(0), torch.tensor(loss_l1).unsqueeze(0).to(loss.device))).detach()

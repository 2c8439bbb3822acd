import torch
import torch.nn as nn
import torch.nn.functional as F


def train(loader):
    backbone, head = nn.Sequential(nn.Linear(8, 16), nn.ReLU()), nn.Linear(16, 3)
    opt = torch.optim.Adam(list(backbone.parameters()) + list(head.parameters()))
    for x, y in loader:
        feats = backbone(x).detach()  # expect: SB052
        loss = F.cross_entropy(head(feats), y)
        opt.zero_grad()
        loss.backward()
        opt.step()

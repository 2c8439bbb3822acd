import torch
from torch import nn
from trainer import Classifier

def main(loader):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 3))
    opt = torch.optim.Adam(model.parameters())
    Classifier(model, opt, loader).fit(3)

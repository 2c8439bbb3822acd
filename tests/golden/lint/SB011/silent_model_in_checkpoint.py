import torch
from torch import nn

checkpoint = torch.load("best.pth")
model = checkpoint["model"]
model.eval()
print(model(torch.zeros(1, 4)))

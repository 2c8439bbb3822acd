import torch
from torch import nn

model = nn.Linear(4, 2)
state = torch.load("best.pth")  # expect: SB011 low
print("epoch", state["epoch"])
model.eval()
print(model(torch.zeros(1, 4)))

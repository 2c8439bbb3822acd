import torch
from torch import nn

model = nn.Linear(4, 1)
criterion = nn.BCEWithLogitsLoss()
output = model(torch.zeros(2, 4))
loss = criterion(output, torch.zeros(2, 1))
scores = torch.sigmoid(output)
print(scores.numpy())

import torch
from torch import nn

model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()
output = model(torch.zeros(2, 4))
loss = criterion(output, torch.zeros(2, dtype=torch.long))
_, shown = torch.max(torch.softmax(output, dim=1), 1)

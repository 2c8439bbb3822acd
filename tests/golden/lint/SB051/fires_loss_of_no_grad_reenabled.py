import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in [(torch.zeros(2, 4), torch.zeros(2, 2))]:
    optimizer.zero_grad()
    with torch.no_grad():
        output = model(x)
    loss = F.mse_loss(output, y)
    loss.requires_grad = True  # expect: SB051
    loss.backward()
    optimizer.step()

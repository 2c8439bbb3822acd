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


def train_step(x, y):
    loss = F.cross_entropy(model(x), y)
    loss.backward()  # expect: SB032
    optimizer.step()
    return loss.item()


for x, y in [(torch.zeros(2, 4), torch.zeros(2, dtype=torch.long))]:
    print(train_step(x, y))

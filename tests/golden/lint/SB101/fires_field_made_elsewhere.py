from torch import nn


class Net(nn.Module):
    def forward(self, x):
        x = self.fc(x)
        return self.sigmoid(x)


criterion = nn.CrossEntropyLoss()  # expect: SB101 low

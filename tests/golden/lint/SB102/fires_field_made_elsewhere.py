from torch import nn


class Net(nn.Module):
    def forward(self, x):
        x = self.fc(x)
        return self.sigmoid(x)


criterion = nn.BCEWithLogitsLoss()  # expect: SB102 low

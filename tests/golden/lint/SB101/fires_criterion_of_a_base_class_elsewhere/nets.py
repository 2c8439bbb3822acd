from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 3)
    def forward(self, x):
        return self.body(x).softmax(dim=1)

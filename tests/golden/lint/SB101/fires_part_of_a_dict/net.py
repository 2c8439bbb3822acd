from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        h = self.body(x)
        return {"logits": self.head(h).softmax(dim=-1), "features": h}

# expect: 0 1 of 1 optimised calls compared
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    @torch.compile(backend="aot_eager")
    def forward(self, x):
        return self.layer(x)


Net()(torch.randn(3, 2))

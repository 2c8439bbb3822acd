# expect: 0 optimised calls compared
import torch


class Net(torch.nn.Module):
    def __deepcopy__(self, memo):
        raise RuntimeError("not copied")

    def forward(self, x):
        return x + 1


torch.compile(Net(), backend="aot_eager")(torch.ones(2))

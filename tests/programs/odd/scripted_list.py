# expect: 0 1 of 1 optimised calls compared
import torch


class Rows(torch.nn.Module):
    def forward(self, x):
        return torch.unbind(x)


torch.jit.script(Rows())(torch.ones(2, 3))

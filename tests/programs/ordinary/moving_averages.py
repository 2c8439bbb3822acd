"""A vector quantiser: buffers that are moving averages, straight-through gradients, and an averaged copy of the model."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Quantiser(nn.Module):
    def __init__(self, n_codes=8, width=4, decay=0.9):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(n_codes, width))
        self.register_buffer("size", torch.ones(n_codes))
        self.register_buffer("sums", self.codes.clone())

    def forward(self, z):
        at = torch.cdist(z, self.codes).argmin(1)
        chosen = F.one_hot(at, len(self.codes)).type_as(z)
        if self.training:
            with torch.no_grad():
                self.size.lerp_(chosen.sum(0), 1 - self.decay)
                self.sums.lerp_(chosen.t() @ z, 1 - self.decay)
                self.codes.copy_(self.sums / (self.size + 1e-5)[:, None])
        q = self.codes[at]
        return z + (q - z).detach(), F.mse_loss(z, q.detach())


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.quantise, self.decode = nn.Linear(6, 4), Quantiser(), nn.Linear(4, 6)

    def forward(self, x):
        q, commit = self.quantise(self.encode(x))
        return self.decode(q), commit


torch.manual_seed(7)
model = Model()
fast = torch.compile(model)
average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.95))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(20):
    x = torch.randn(32, 6)
    out, commit = fast(x)
    loss = F.mse_loss(out, x) + 0.25 * commit
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.update_parameters(model)
    if step % 5 == 4:
        print(step, loss.item(), model.quantise.size.max().item())
print(average(x)[0].mean().item())

import torch
from torch import nn

g, d = nn.Linear(4, 8), nn.Linear(8, 1)
g_opt = torch.optim.Adam(g.parameters())
d_opt = torch.optim.Adam(d.parameters())
bce = nn.BCEWithLogitsLoss()
for real in [torch.randn(8, 8)]:
    fake = g(torch.randn(8, 4))
    d_loss = bce(d(real), torch.ones(8, 1)) + bce(d(fake.detach()), torch.zeros(8, 1))
    d_loss.backward()  # expect: SB032
    d_opt.step()
    g_opt.zero_grad()
    g_loss = bce(d(fake), torch.ones(8, 1))
    g_loss.backward()
    g_opt.step()

import torch
import torch.nn as nn


def learn(q_net, target_net, opt, s, a, r, s2, d):
    q = q_net(s).gather(1, a.view(-1, 1))
    with torch.no_grad():
        best = q_net(s2).argmax(dim=1, keepdim=True)
        y = r + 0.99 * target_net(s2).gather(1, best).squeeze(1) * (1 - d)
    loss = nn.SmoothL1Loss()(q, y)  # expect: SB223
    opt.zero_grad()
    loss.backward()
    opt.step()

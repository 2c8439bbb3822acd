import torch
import torch.nn.functional as F


def learn(q_net, target_net, opt, s, a, r, s2, d):
    q = q_net(s).gather(1, a.unsqueeze(1))
    with torch.no_grad():
        y = r + 0.99 * (1 - d) * target_net(s2).max(1)[0]
    loss = F.smooth_l1_loss(q, y.unsqueeze(1))
    opt.zero_grad()
    loss.backward()
    opt.step()

import torch
import torch.nn.functional as F


def learn(q_net, target_net, opt, s, a, r, s2, d):
    q = q_net(s).gather(1, a.unsqueeze(1))
    with torch.no_grad():
        q2 = target_net(s2).max(1, keepdim=True)[0]
        y = r.unsqueeze(1) + 0.99 * (1 - d.unsqueeze(1)) * q2
    loss = F.mse_loss(q, y)
    opt.zero_grad()
    loss.backward()
    opt.step()

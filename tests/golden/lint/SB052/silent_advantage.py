import torch
import torch.nn.functional as F


def train(net, opt, batch):
    s, a, r = batch
    logits, v = net(s)
    adv = r - v.detach().squeeze(-1)
    pi = -(torch.log_softmax(logits, -1).gather(1, a[:, None]).squeeze(1) * adv).mean()
    loss = pi + 0.5 * F.mse_loss(v.squeeze(-1), r)
    opt.zero_grad()
    loss.backward()
    opt.step()

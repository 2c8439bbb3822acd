import torch
import torch.nn.functional as F


def train(loader, online, target, predictor):
    opt = torch.optim.Adam([*online.parameters(), *predictor.parameters()])
    for a, b in loader:
        p = predictor(online(a))
        z = target(b).detach()
        loss = F.mse_loss(p, z) + F.mse_loss(predictor(online(b)), target(a).detach())
        opt.zero_grad()
        loss.backward()
        opt.step()

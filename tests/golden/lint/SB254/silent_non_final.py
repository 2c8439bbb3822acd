import torch
import torch.nn.functional as F


def learn(net, optimizer, batch, gamma):
    s, a, reward, s2, done = batch
    q = net(s).gather(1, a)
    with torch.no_grad():
        best = net(s2).max(1)[0]
        best[done] = 0
    loss = F.mse_loss(q, reward + gamma * best)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def other(net, optimizer, batch, gamma, not_done):
    s, a, reward, s2 = batch
    loss = F.mse_loss(net(s), reward + gamma * not_done * net(s2).detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

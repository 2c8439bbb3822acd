import torch.nn.functional as F


def added(net, x, y, z, optimizer):
    loss = F.cross_entropy(net(x), y)
    loss = loss + F.mse_loss(net(x), z)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def each_its_own(net, x, y, z, optimizer):
    loss = F.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss = F.mse_loss(net(x), z)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def chosen(net, x, y, z, optimizer, soft):
    loss = F.cross_entropy(net(x), y)
    if soft:
        loss = F.mse_loss(net(x), z)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

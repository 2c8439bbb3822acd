from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel as DDP


def train_epoch(net, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


def validate(net, loader):
    return sum((net(x).argmax(1) == y).sum().item() for x, y in loader)


def main(make, loader, val_loader):
    model = DDP(make())
    opt = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        train_epoch(model, loader, opt)
        print(validate(model.module, val_loader))

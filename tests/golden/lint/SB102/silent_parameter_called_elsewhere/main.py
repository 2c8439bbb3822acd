import torch
from nets import D
from loss import judge
def train(disc, opt, loader):
    for x in loader:
        opt.zero_grad()
        judge(disc, x).backward()
        opt.step()
if __name__ == "__main__":
    disc = D()
    opt = torch.optim.Adam(disc.parameters())
    train(disc, opt, [torch.randn(3, 4)])

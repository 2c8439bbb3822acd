import torch
import torch.nn.functional as F
from nets import build_model
def main(train_loader, val_loader, cfg):
    net = build_model(cfg)
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(cfg.epochs):
        net.train()
        for x, y in train_loader:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        hits = 0
        with torch.no_grad():
            for x, y in val_loader:
                hits += (net(x).argmax(1) == y).sum().item()  # expect: SB022
        print(hits)

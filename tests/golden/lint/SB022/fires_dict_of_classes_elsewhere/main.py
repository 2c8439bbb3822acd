import torch
import torch.nn.functional as F
from nets import NETS
def main(train_loader, val_loader, cfg):
    encoder = NETS[cfg.kind]()
    opt = torch.optim.Adam(encoder.parameters())
    for epoch in range(cfg.epochs):
        encoder.train()
        for x, y in train_loader:
            loss = F.cross_entropy(encoder(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        hits = 0
        with torch.no_grad():
            for x, y in val_loader:
                hits += (encoder(x).argmax(1) == y).sum().item()  # expect: SB022
        print(hits)

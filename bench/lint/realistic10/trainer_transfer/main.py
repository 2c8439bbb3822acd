import os
import tempfile

import torch
import torch.nn.functional as F

from backbone import Pretext, Transfer
from pictures import KINDS, loaders, paint
from trainer import Trainer


def pretrain(path, steps=40):
    net = Pretext()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    x, _ = paint(640, seed=9)
    for _ in range(steps):
        some = x[torch.randint(len(x), (32,))]
        turns = torch.randint(4, (32,))
        turned = torch.stack([picture.rot90(int(k), (1, 2)) for picture, k in zip(some, turns)])
        opt.zero_grad()
        F.cross_entropy(net(turned), turns).backward()
        opt.step()
    torch.save(net.state_dict(), path)


def main():
    torch.manual_seed(13)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pretext.pt")
        pretrain(path)
        model = Transfer(len(KINDS))
        model.load_backbone(path)
    model.freeze()
    train, val = loaders()
    best = Trainer(model, train, val, lr=0.02).fit(epochs=4, unfreeze_at=2)
    print(f"best accuracy {best:.3f}")


if __name__ == "__main__":
    main()

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(20, 64)
        self.drop = nn.Dropout(0.3)
        self.b = nn.Linear(64, 5)

    def forward(self, x):
        return self.b(self.drop(F.relu(self.a(x))))


def loaders():
    data = TensorDataset(torch.randn(512, 20), torch.randint(0, 5, (512,)))
    train_set, val_set = random_split(data, [400, 112])
    return DataLoader(train_set, batch_size=32, shuffle=True), DataLoader(val_set, batch_size=64)


def run_phase(phase, net, loader, criterion, opt):
    if phase == "train":
        net.train()
    
    hits = seen = 0
    for x, y in loader:
        with torch.set_grad_enabled(phase == "train"):
            scores = net(x)  # expect: SB022
            loss = criterion(scores, y)
        if phase == "train":
            opt.zero_grad()
            loss.backward()
            opt.step()
        hits += (scores.argmax(dim=1) == y).sum().item()
        seen += len(y)
    return hits / seen

def main():
    train_loader, val_loader = loaders()
    net = Net()
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(net.parameters())
    for epoch in range(8):
        run_phase("train", net, train_loader, criterion, opt)
        print(run_phase("val", net, val_loader, criterion, opt))

if __name__ == "__main__":
    main()

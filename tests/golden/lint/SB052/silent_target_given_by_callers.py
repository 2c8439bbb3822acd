from torch.utils.data import DataLoader

from torch import nn, optim


class Trainer:
    def __init__(self, model, optimizer, criterion, loader):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.loader = loader

    def step(self, x, y):
        self.optimizer.zero_grad()
        out = self.model(x)
        loss = self.criterion(out, y.cuda())
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def epoch(self):
        return sum(self.step(x.cuda(), y) for x, y in self.loader)


def main(data):
    model = nn.Linear(20, 5).cuda()
    loader = DataLoader(data, batch_size=32, shuffle=True)
    trainer = Trainer(model, optim.SGD(model.parameters(), lr=0.1), nn.CrossEntropyLoss(), loader)
    for epoch in range(10):
        print(trainer.epoch())

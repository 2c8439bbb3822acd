class Trainer:
    def __init__(self, net, optimizer, loss_fn):
        self.net = net
        self.optimizer = optimizer
        self.loss_fn = loss_fn

    def fit(self, loader):
        self.net.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.loss_fn(self.net(x), y)
            loss.backward()
            self.optimizer.step()

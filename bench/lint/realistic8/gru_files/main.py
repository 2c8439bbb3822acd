import argparse
import copy

import torch
from torch import nn
from tqdm import tqdm

from net import ReviewNet
from reviews import loaders


class Fitter:
    def __init__(self, opt):
        torch.manual_seed(opt.seed)
        self.opt = opt
        self.train_dl, self.val_dl = loaders(opt.batch)
        self.model = ReviewNet()
        self.mse, self.ce = nn.MSELoss(), nn.CrossEntropyLoss()
        self.optim = torch.optim.RMSprop(self.model.parameters(), lr=opt.lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.optim, step_size=1, gamma=0.8)
        self.best, self.best_weights = float("inf"), None

    def loss(self, batch):
        tokens, lengths, rating, topic = batch
        r, t = self.model(tokens, lengths)
        return self.mse(r, rating) + self.ce(t, topic), t

    def backprop(self, loss):
        self.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.model.parameters(), 0.5)
        self.optim.step()

    def run_epoch(self, dl, training):
        self.model.train(training)
        loss_sum = right = n = 0
        with torch.set_grad_enabled(training):
            for batch in tqdm(dl, leave=False):
                loss, logits = self.loss(batch)
                if training:
                    self.backprop(loss)
                topic = batch[-1]
                loss_sum += loss.item() * len(topic)
                right += (logits.argmax(1) == topic).sum().item()
                n += len(topic)
        return loss_sum / n, right / n

    def fit(self):
        for epoch in range(self.opt.epochs):
            train = self.run_epoch(self.train_dl, training=True)
            val = self.run_epoch(self.val_dl, training=False)
            self.sched.step()
            print("epoch %d train %.3f/%.2f val %.3f/%.2f" % (epoch, *train, *val))
            if val[0] < self.best:
                self.best, self.best_weights = val[0], copy.deepcopy(self.model.state_dict())
        self.model.load_state_dict(self.best_weights)
        torch.save(self.model.state_dict(), "review.pt")


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--epochs", type=int, default=1)
    cli.add_argument("--batch", type=int, default=32)
    cli.add_argument("--lr", type=float, default=2e-3)
    cli.add_argument("--seed", type=int, default=0)
    Fitter(cli.parse_args()).fit()

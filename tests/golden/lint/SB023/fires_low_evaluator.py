import torch
from torch import nn


class Evaluator:
    def __init__(self, held_out):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.Linear(4, 2))
        self.net.load_state_dict(torch.load("best.pt"))
        self.net.eval()
        self.held_out = held_out

    def evaluate(self):
        hits = 0
        for x, y in self.held_out:
            hits += (self.net(x).argmax(1) == y).sum().item()  # expect: SB023 low
        return hits


if __name__ == "__main__":
    print(Evaluator([]).evaluate())

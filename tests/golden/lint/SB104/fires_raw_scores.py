import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 8, batch_first=True)
        self.out = nn.Linear(8, 5)

    def forward(self, x, state):
        output, state = self.gru(x, state)
        return self.out(output), state


def train_step(decoder, optimizer, criterion, x, state, target):
    optimizer.zero_grad()
    scores, _ = decoder(x, state)
    loss = criterion(scores.reshape(-1, 5), target.reshape(-1))  # expect: SB104
    loss.backward()
    optimizer.step()


decoder = Decoder()
optimizer = torch.optim.SGD(decoder.parameters(), lr=0.1)
for x, state, target in []:
    train_step(decoder, optimizer, nn.NLLLoss(), x, state, target)

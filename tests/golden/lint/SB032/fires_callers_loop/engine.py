from torch import nn


def train_step(model, optimizer, x, y):
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()  # expect: SB032
    optimizer.step()
    return loss.item()

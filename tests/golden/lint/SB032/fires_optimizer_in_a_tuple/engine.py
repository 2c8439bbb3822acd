import torch


def run(bundle, loaders):
    model, optimizer, criterion = bundle
    model.train()
    for x, y in loaders[0]:
        loss = criterion(model(x), y)
        loss.backward()  # expect: SB032
        optimizer.step()

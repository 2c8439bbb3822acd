import torch


def run(bundle, loaders):
    model, optimizer, criterion = bundle
    model.train()
    for x, y in loaders[0]:
        model.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

def train(model, criterion, optimizer, loader):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


def evaluate(model, criterion, loader):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()  # expect: SB021
    return total / len(loader)

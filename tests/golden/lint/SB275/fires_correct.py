import torch


def fit(model, optimizer, criterion, train_loader, args):
    correct = 0  # expect: SB275
    for epoch in range(args.epochs):
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            out = model(x)
            loss = criterion(out, y)
            loss.backward()
            optimizer.step()
            total += loss.item()
            correct += (out.argmax(1) == y).sum().item()
        print(epoch, total / len(train_loader), correct / len(train_loader.dataset))

import torch


def check(tagger, val_loader):
    tagger.right = 0
    with torch.no_grad():
        for step, batch in enumerate(val_loader):
            tagger.judge(batch)  # expect: SB022
    return tagger.right


def fit(tagger, optimizer, loader, val_loader, epochs):
    for epoch in range(epochs):
        tagger.train()
        for batch in loader:
            optimizer.zero_grad()
            tagger.learn(batch).backward()
            optimizer.step()
        print(epoch, check(tagger, val_loader))

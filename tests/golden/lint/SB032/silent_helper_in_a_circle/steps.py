import engine


def clear(optimizer):
    optimizer.zero_grad()


def main(loader):
    print(engine.size_of(loader))
    engine.train(loader)

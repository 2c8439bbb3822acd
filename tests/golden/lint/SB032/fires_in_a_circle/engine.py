import steps


def note(optimizer):
    print(optimizer.param_groups[0]["lr"])


def main(loader):
    steps.train(loader)

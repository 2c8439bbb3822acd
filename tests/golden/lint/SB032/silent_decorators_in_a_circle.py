import torch


def first(function):
    @second
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def second(function):
    @first
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@first
def train(model, optimizer, batches):
    for x in batches:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()


net = torch.nn.Linear(2, 2)
train(net, torch.optim.SGD(net.parameters(), 0.1), torch.ones(3, 1, 2))

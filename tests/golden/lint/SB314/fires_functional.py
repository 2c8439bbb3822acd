import torch.nn.functional as F


def evaluate(model, loader):
    test_loss = 0
    for x, y in loader:
        output = model(x)
        test_loss += F.nll_loss(output, y).item()
    test_loss /= len(loader.dataset)  # expect: SB314
    return test_loss

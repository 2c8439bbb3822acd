import torch

from consistency import agreement, ramp, supervised
from points import endless, split
from students import Pair

STEPS, RAMP, WEIGHT = 300, 100, 0.8


@torch.no_grad()
def accuracy(net, x, y):
    return (net(x).argmax(dim=1) == y).float().mean().item()


def main():
    torch.manual_seed(3)
    data = split()
    pair = Pair()
    opt = torch.optim.Adam(pair.student.parameters(), lr=3e-3)
    lab, unl = endless(len(data.x_lab), 30), endless(len(data.x_unl), 100)
    for step in range(STEPS):
        pair.train()
        i, j = next(lab), next(unl)
        loss = supervised(pair, data.x_lab[i], data.y_lab[i])
        loss = loss + WEIGHT * ramp(step, RAMP) * agreement(pair, data.x_unl[j])
        opt.zero_grad()
        loss.backward()
        opt.step()
        pair.advance()
        if (step + 1) % 100 == 0:
            pair.eval()
            accs = [accuracy(net, data.x_test, data.y_test) for net in (pair.student, pair.teacher)]
            print("step %d loss %.3f student %.3f teacher %.3f" % (step + 1, loss.item(), *accs))


if __name__ == "__main__":
    main()

from itertools import chain

import torch
import torch.nn.functional as F

from losses import attention_loss, combine, soft_loss
from networks import Hint, student, teacher
from shapes import CLASSES, get_loaders

TEMPERATURE = 4.0


def accuracy(net, loader):
    net.eval()
    with torch.no_grad():
        hits = [net(x)[0].argmax(1) == y for x, y in loader]
    return torch.cat(hits).float().mean().item()


def train_teacher(net, loader, epochs=1):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(epochs):
        net.train()
        for x, y in loader:
            loss = F.cross_entropy(net(x)[0], y)
            opt.zero_grad()
            loss.backward()
            opt.step()
    torch.save(net.state_dict(), "teacher.pt")


def distill(big, small, hints, loader, val_loader, epochs=1):
    big.eval()
    params = chain(small.parameters(), hints.parameters())
    opt = torch.optim.SGD(list(params), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.1)
    for epoch in range(epochs):
        small.train()
        history = []
        for x, y in loader:
            with torch.no_grad():
                t_logits, t_maps = big(x)
            s_logits, s_maps = small(x)
            hard = F.cross_entropy(s_logits, y)
            soft = soft_loss(s_logits, t_logits, TEMPERATURE)
            hint = sum(h(s, t) for h, s, t in zip(hints, s_maps, t_maps)) / len(hints)
            att = attention_loss(s_maps[-1], t_maps[-1])
            loss = combine(hard, soft, hint, att)
            opt.zero_grad()
            loss.backward()
            opt.step()
            history.append(loss.item())
        sched.step()
        print(f"epoch {epoch} loss {sum(history) / len(history):.4f} val {accuracy(small, val_loader):.3f}")


def main():
    torch.manual_seed(3)
    train, val = get_loaders(50)
    big = teacher(CLASSES)
    train_teacher(big, train)
    big.load_state_dict(torch.load("teacher.pt"))
    print("teacher", accuracy(big, val))
    small = student(CLASSES)
    hints = torch.nn.ModuleList([Hint(8, 32), Hint(16, 48)])
    distill(big, small, hints, train, val)


if __name__ == "__main__":
    main()

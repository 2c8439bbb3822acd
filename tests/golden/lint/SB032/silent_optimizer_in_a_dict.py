import torch
from torch import nn


def step(state, x, y):
    loss = nn.functional.cross_entropy(state["net"](x), y)
    loss.backward()
    state["opt"].step()


def cleared_by_another_key(loader):
    net = nn.Linear(4, 2)
    state = {"net": net, "opt": torch.optim.SGD(net.parameters(), lr=0.1)}
    for x, y in loader:
        net.zero_grad()
        step(state, x, y)


def cleared_by_all(state):
    for part in state.values():
        part.zero_grad()


def taken_whole(loader):
    net = nn.Linear(4, 2)
    state = {"net": net, "opt": torch.optim.SGD(net.parameters(), lr=0.1)}
    for x, y in loader:
        cleared_by_all(state)
        step(state, x, y)


def written_again(loader, make):
    net = nn.Linear(4, 2)
    settings = {"solver": torch.optim.SGD(net.parameters(), lr=0.1)}
    for x, y in loader:
        settings["solver"] = make(net)
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        settings["solver"].step()


def with_more(loader, more):
    net = nn.Linear(4, 2)
    bundle = {"runner": torch.optim.SGD(net.parameters(), lr=0.1), **more}
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        bundle["runner"].step()

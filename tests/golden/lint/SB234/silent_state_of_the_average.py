import torch
from torch import nn


class Averages:
    @staticmethod
    @torch.no_grad()
    def update(ema_model: nn.Module, model: nn.Module, decay: float) -> None:
        """The state of the averaged network is changed in place: that is the update."""
        ema_state = ema_model.state_dict(keep_vars=True)
        model_state = model.state_dict(keep_vars=True)
        for name, ema_value in ema_state.items():
            model_value = model_state[name].detach()
            if ema_value.is_floating_point():
                ema_value.mul_(decay).add_(model_value, alpha=1.0 - decay)
            else:
                ema_value.copy_(model_value)


def follow(teacher: nn.Module, student: nn.Module, rate: float) -> None:
    averaged = teacher.state_dict()
    with torch.no_grad():
        for name, value in student.named_parameters():
            averaged[name].lerp_(value, 1 - rate)


def blend(average, net, rate):
    with torch.no_grad():
        for name, value in net.state_dict().items():
            average[name].mul_(rate).add_(value, alpha=1 - rate)


def train(loader):
    net = nn.Linear(4, 1)
    averaged_net = nn.Linear(4, 1)
    average = averaged_net.state_dict()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
        blend(average, net, 0.99)
    return averaged_net

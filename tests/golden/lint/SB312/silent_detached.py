import torch
import torch.nn.functional as F


def at_the_use(log_probs, values, returns, opt):
    advantage = returns - values
    loss = -(log_probs * advantage.detach()).mean() + F.mse_loss(values, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()


def where_it_is_made(log_probs, values, returns, opt):
    advantage = (returns - values).detach()
    loss = -(log_probs * advantage).mean() + F.mse_loss(values, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()


def in_a_region(log_probs, values, returns, opt):
    with torch.no_grad():
        advantage = returns - values
    loss = -(log_probs * advantage).mean() + F.mse_loss(values, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()

import torch


def subtracted(dist, action, advantage, optimizer):
    loss = -(dist.log_prob(action) * advantage).mean() - 0.01 * dist.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def negated(dist, action, advantage, optimizer):
    objective = (dist.log_prob(action) * advantage).mean() + 0.01 * dist.entropy().mean()
    loss = -objective
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def in_parentheses(dist, action, advantage, value_loss, optimizer):
    loss = value_loss - ((dist.log_prob(action) * advantage).mean() + 0.01 * dist.entropy().mean())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

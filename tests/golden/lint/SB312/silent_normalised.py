import torch.nn.functional as F


def update(log_probs, values, new_values, returns, opt):
    advantage = returns - values
    advantage = (advantage - advantage.mean()) / advantage.std()
    loss = -(log_probs * advantage).mean() + F.mse_loss(new_values, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()

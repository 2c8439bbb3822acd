import torch
import torch.nn.functional as F


def update(net, steps, returns, opt):
    log_probs = torch.stack([s.log_prob for s in steps])
    values = torch.stack([s.value for s in steps])
    policy_loss = -(log_probs * (returns - values)).mean()  # expect: SB312
    value_loss = F.mse_loss(values, returns)
    loss = policy_loss + 0.5 * value_loss
    opt.zero_grad()
    loss.backward()
    opt.step()

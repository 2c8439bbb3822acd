import torch.nn.functional as F


def update(dist, actions, values, returns, opt):
    advantage = returns - values
    actor_loss = -(dist.log_prob(actions) * advantage).mean()  # expect: SB312
    critic_loss = F.smooth_l1_loss(values, returns)
    opt.zero_grad()
    (actor_loss + critic_loss).backward()
    opt.step()

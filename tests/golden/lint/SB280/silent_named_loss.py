def update(dist, action, advantage, optimizer):
    policy_loss = -(dist.log_prob(action) * advantage).mean()
    entropy_loss = -dist.entropy().mean()
    loss = policy_loss + 0.01 * entropy_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

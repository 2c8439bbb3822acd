def update(dist, action, advantage, optimizer, beta):
    loss = -(dist.log_prob(action) * advantage.detach()).mean()
    entropy = dist.entropy().mean()
    loss += beta * entropy  # expect: SB280
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

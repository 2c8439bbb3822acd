def fit_epoch(net, batches, objective, optimizer):
    net.train()
    for x, y in batches:
        optimizer.zero_grad()
        loss = objective(net(x), y)  # expect: SB101
        loss.backward()
        optimizer.step()

def fit_epoch(net, batches, loss_fn, optimizer):
    running = 0.0
    for x, y in batches:
        running += step(net, x, y, loss_fn, optimizer)
    return running


def step(net, x, y, loss_fn, optimizer):
    loss = loss_fn(net(x), y)
    loss.backward()  # expect: SB032
    optimizer.step()
    return loss.item()

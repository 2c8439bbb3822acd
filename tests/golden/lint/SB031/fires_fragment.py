for x, y in loader:
    loss = criterion(net(x), y)
    loss.backward()
    optimizer.zero_grad()  # expect: SB031
    optimizer.step()

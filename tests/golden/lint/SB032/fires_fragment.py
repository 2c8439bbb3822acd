for e in range(epochs):
    for i in range(len(inputs)):
        out = model(inputs[i])
        loss = loss_fn(out, targets[i])
        loss.backward()  # expect: SB032
        optimizer.step()

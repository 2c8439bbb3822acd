def main(model, loaders, epochs):
    best_acc1 = 0.0
    for epoch in range(epochs):
        train(model, loaders[0])
        acc1 = validate(model, loaders[1])
        best_acc1 = max(acc1, best_acc1)
        is_best = acc1 > best_acc1  # expect: SB282
        save(model, is_best)

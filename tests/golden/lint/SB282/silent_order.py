def main(model, loaders, epochs):
    best = 0.0
    for epoch in range(epochs):
        acc = validate(model, loaders[1])
        is_best = acc > best
        best = max(acc, best)
        save(model, is_best)


def equal_counts(acc, best, save):
    best = max(acc, best)
    if acc >= best:
        save()
    return best


def next_one(values, best):
    for acc in values:
        best = max(acc, best)
        acc = acc + 1
        if acc > best:
            print(acc)

def clear(optimizer, quiet=False):
    if not quiet:
        print("next")
    optimizer.zero_grad()

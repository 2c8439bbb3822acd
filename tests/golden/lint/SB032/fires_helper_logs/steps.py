def note(optimizer, step):
    print(step, optimizer.param_groups[0]["lr"])

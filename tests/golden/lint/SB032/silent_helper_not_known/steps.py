from elsewhere import wrap


@wrap
def note(optimizer, step):
    print(step)

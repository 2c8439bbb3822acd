def run(thing, x):
    import torch
    return thing.forward(x)

import torch
def set_mode(net, training):
    if training:
        net.train()
    else:
        net.eval()

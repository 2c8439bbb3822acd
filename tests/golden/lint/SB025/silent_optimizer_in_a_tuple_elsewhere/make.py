import torch
def make(net):
    opt = torch.optim.Adam(net.parameters())
    return opt, torch.optim.lr_scheduler.StepLR(opt, 2)

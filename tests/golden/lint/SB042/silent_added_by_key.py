import torch


def save(model, optimizer, epoch):
    state = {'epoch': epoch, 'model': model.state_dict()}
    state['optimizer'] = optimizer.state_dict()
    torch.save(state, 'c.pt')

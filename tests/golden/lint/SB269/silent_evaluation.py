import torch


def save(model, optimizer, epoch, path):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)


def evaluate(model, path):
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    print("epoch", checkpoint["epoch"])

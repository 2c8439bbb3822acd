import torch


def run(net, loader, step, validate):
    best = float("inf")
    for epoch in range(5):
        step(net, loader)
        loss = validate(net)
        if best > loss:  # expect: SB247
            torch.save({"net": net.state_dict()}, "net.pt")
            print("saved")

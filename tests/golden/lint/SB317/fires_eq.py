def correct(model, x, target):
    pred, _ = model(x).max(dim=1)
    return pred.eq(target).sum().item()  # expect: SB317

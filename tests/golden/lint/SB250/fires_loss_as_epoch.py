import torch


def fit(model, optimizer, train, validate):
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
    for epoch in range(10):
        train(model, optimizer)
        val_loss = validate(model)
        scheduler.step(val_loss)  # expect: SB250

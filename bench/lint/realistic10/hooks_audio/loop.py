import torch


def validate(module, loader):
    module.eval()
    module.on_validation_epoch_start()
    with torch.no_grad():
        for step, batch in enumerate(loader):
            module.validation_step(batch, step)
    return module.on_validation_epoch_end()


class Patience:
    def __init__(self, monitor, rounds):
        self.monitor, self.rounds = monitor, rounds
        self.best, self.bad = float("inf"), 0

    def __call__(self, logs):
        value = logs[self.monitor]
        if value < self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.rounds


def fit(module, train, val, epochs, n_classes, stop):
    module.setup(n_classes)
    plan = module.configure_optimizers(epochs * len(train))
    opt, sched = plan["optimizer"], plan["scheduler"]
    for epoch in range(epochs):
        module.train()
        total = 0.0
        for step, batch in enumerate(train):
            loss = module.training_step(batch, step)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            if plan["interval"] == "step":
                sched.step()
            total += loss.item()
        if plan["interval"] == "epoch":
            sched.step()
        logs = {"train_loss": total / len(train), **validate(module, val)}
        print(epoch, {k: round(v, 4) for k, v in logs.items()})
        if stop(logs):
            break

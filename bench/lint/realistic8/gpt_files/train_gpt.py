import math

import torch
from torch.utils.data import DataLoader

from gpt import GPT
from text import Blocks, CharTokens, write_text

config = dict(dim=32, heads=2, layers=2, block=32, dropout=0.1, batch=16, accum=2, lr=3e-3, warmup=5, epochs=1, wd=0.1, clip=1.0)


def get_lr(it, total):
    if it < config["warmup"]:
        return config["lr"] * (it + 1) / config["warmup"]
    ratio = (it - config["warmup"]) / max(1, total - config["warmup"])
    return 0.1 * config["lr"] + 0.45 * config["lr"] * (1 + math.cos(math.pi * min(ratio, 1.0)))


@torch.no_grad()
def estimate(model, loader):
    model.eval()
    nll, n = 0.0, 0
    for x, y in loader:
        nll += model(x, y)[1].item() * y.numel()
        n += y.numel()
    model.train()
    return nll / n, math.exp(nll / n)


def main():
    torch.manual_seed(1337)
    text = write_text(4000, seed=0)
    tokens = CharTokens(text)
    data = tokens.encode(text)
    n = int(0.9 * len(data))
    train_data, val_data = data[:n], data[n:]
    train = DataLoader(Blocks(train_data, config["block"]), config["batch"], shuffle=True, drop_last=True)
    val = DataLoader(Blocks(val_data, config["block"]), config["batch"])
    model = GPT(config, len(tokens.chars))
    opt = torch.optim.AdamW(model.param_groups(config["wd"]), lr=config["lr"], betas=(0.9, 0.95))
    total = config["epochs"] * len(train) // config["accum"]
    it = 0
    model.train()
    for epoch in range(config["epochs"]):
        for micro, (x, y) in enumerate(train):
            _, loss = model(x, y)
            (loss / config["accum"]).backward()
            if (micro + 1) % config["accum"]:
                continue
            for group in opt.param_groups:
                group["lr"] = get_lr(it, total)
            torch.nn.utils.clip_grad_norm_(model.parameters(), config["clip"])
            opt.step()
            opt.zero_grad(set_to_none=True)
            it += 1
            if it % 10 == 0:
                nll, ppl = estimate(model, val)
                print(f"{epoch} it {it}/{total} train {loss.item():.3f} val {nll:.3f} ppl {ppl:.2f}")
    torch.save({"model": model.state_dict(), "chars": tokens.chars}, "gpt.pt")


if __name__ == "__main__":
    main()

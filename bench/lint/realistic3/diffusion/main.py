import torch
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

from ddpm import Diffusion
from ema import EMA
from unet import TinyUNet

CONFIG = {"epochs": 2, "batch": 16, "lr": 2e-3, "warmup": 4, "clip": 1.0}


def get_loader():
    images = torch.rand(128, 1, 8, 8)
    return DataLoader(TensorDataset(images), batch_size=CONFIG["batch"], shuffle=True, num_workers=0)


def validation_loss(diffusion, model, images):
    model.eval()
    with torch.no_grad():
        value = diffusion.loss(model, images).item()
    model.train()
    return value


def main():
    torch.manual_seed(7)
    model = TinyUNet()
    ema = EMA(model)
    diffusion = Diffusion()
    optimizer = AdamW(model.parameters(), lr=CONFIG["lr"])
    scheduler = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / CONFIG["warmup"]))
    held_out = torch.rand(16, 1, 8, 8)
    losses = []
    for epoch in range(CONFIG["epochs"]):
        for (images,) in get_loader():
            loss = diffusion.loss(model, images)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), CONFIG["clip"])
            optimizer.step()
            scheduler.step()
            ema.update(model)
            losses.append(loss.item())
        print("epoch", epoch, "train", sum(losses) / len(losses), "valid", validation_loss(diffusion, model, held_out))
    samples = diffusion.sample(ema.model, 4)
    torch.save({"model": model.state_dict(), "ema": ema.model.state_dict(), "samples": samples}, "ddpm.pt")


if __name__ == "__main__":
    main()

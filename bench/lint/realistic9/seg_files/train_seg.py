import random

import torch
from torch import nn
from torch.utils.data import DataLoader

from metrics import Confusion, dice_loss
from tiles import VOID, Tiles
from unet import UNet

EPOCHS, CLASSES, AUX = 1, 4, 0.4


class SegTrainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = UNet(classes=CLASSES).to(self.device)
        self.ce = nn.CrossEntropyLoss(ignore_index=VOID)
        self.train_loader = DataLoader(Tiles(96, 0, augment=True), 12, shuffle=True)
        self.val_loader = DataLoader(Tiles(24, 1), 8)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.PolynomialLR(self.opt, total_iters=EPOCHS * len(self.train_loader), power=0.9)
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.device.type == "cuda")

    def loss(self, logits, mask):
        return self.ce(logits, mask) + dice_loss(logits.float(), mask)

    def train(self):
        self.net.train()
        seen = total = 0
        for image, mask in self.train_loader:
            image, mask = image.to(self.device), mask.to(self.device)
            with torch.autocast(self.device.type, dtype=torch.bfloat16 if self.device.type == "cpu" else torch.float16):
                main, aux = self.net(image)
                loss = self.loss(main, mask) + AUX * self.loss(aux, mask)
            self.opt.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.opt)
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.scaler.step(self.opt)
            self.scaler.update()
            self.sched.step()
            total += loss.item() * image.size(0)
            seen += image.size(0)
        return total / seen

    def validate(self):
        self.net.eval()
        confusion = Confusion(CLASSES)
        with torch.no_grad():
            for image, mask in self.val_loader:
                pred = self.net(image.to(self.device)).argmax(dim=1).cpu()
                confusion.add(pred, mask)
        return confusion.iou()


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    trainer = SegTrainer()
    for epoch in range(EPOCHS):
        print(f"epoch {epoch} loss {trainer.train():.4f} miou {trainer.validate():.4f}")

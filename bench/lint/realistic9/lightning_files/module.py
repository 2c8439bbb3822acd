import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torchmetrics.classification import MulticlassAccuracy


class PatchEncoder(nn.Module):
    def __init__(self, patch, dim, depth, heads, n_patches):
        super().__init__()
        self.patch = patch
        self.project = nn.Linear(patch * patch, dim)
        self.position = nn.Parameter(torch.randn(1, n_patches + 1, dim) * 0.02)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.1, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)

    def forward(self, img):
        x = F.unfold(img, self.patch, stride=self.patch).transpose(1, 2)
        x = self.project(x)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], dim=1) + self.position
        return self.norm(self.encoder(x)[:, 0])


class DigitModule(L.LightningModule):
    def __init__(self, lr=1e-3, weight_decay=0.05, n_classes=10, dim=32, warmup=3, freeze_positions=True):
        super().__init__()
        self.save_hyperparameters()
        self.backbone = PatchEncoder(patch=7, dim=dim, depth=2, heads=4, n_patches=16)
        self.head = nn.Linear(dim, n_classes)
        self.backbone.position.requires_grad_(not freeze_positions)
        self.val_acc = MulticlassAccuracy(n_classes, average="micro")
        self.register_buffer("prior", torch.full((n_classes,), 1.0 / n_classes))

    def forward(self, img):
        return self.head(self.backbone(img))

    def training_step(self, batch, batch_idx):
        img, label = batch
        logits = self(img)
        ce = F.cross_entropy(logits, label)
        usage = logits.softmax(dim=-1).mean(dim=0)
        balance = F.kl_div(usage.log(), self.prior, reduction="sum")
        loss = ce + 0.1 * balance
        self.log("train/loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        img, label = batch
        logits = self(img)
        self.val_acc.update(logits, label)
        self.log("val/loss", F.cross_entropy(logits, label), batch_size=len(img))

    def on_validation_epoch_end(self):
        self.log("val/acc", self.val_acc.compute())
        self.val_acc.reset()

    def configure_optimizers(self):
        hp = self.hparams
        params = [p for p in self.parameters() if p.requires_grad]
        opt = torch.optim.AdamW(params, lr=hp.lr, weight_decay=hp.weight_decay)
        total = int(self.trainer.estimated_stepping_batches)
        warm = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=hp.warmup)
        cos = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=max(1, total - hp.warmup))
        sched = torch.optim.lr_scheduler.SequentialLR(opt, [warm, cos], milestones=[hp.warmup])
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "step"}}

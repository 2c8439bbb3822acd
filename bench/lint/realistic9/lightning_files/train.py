import warnings

import lightning as L
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint

from datamodule import DigitData
from module import DigitModule

warnings.filterwarnings("ignore")


def main():
    L.seed_everything(7)
    data = DigitData()
    model = DigitModule(lr=1e-3)
    keep = ModelCheckpoint(dirpath="ckpt", monitor="val/acc", mode="max", save_top_k=1)
    stop = EarlyStopping(monitor="val/loss", mode="min", patience=3)
    trainer = L.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        callbacks=[keep, stop],
        gradient_clip_val=1.0,
        accumulate_grad_batches=2,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(model, datamodule=data)
    best = DigitModule.load_from_checkpoint(keep.best_model_path)
    print(trainer.validate(best, datamodule=data, verbose=False))


if __name__ == "__main__":
    main()

import lightning as L
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint

from datamodule import SignalData
from module import WaveNet


def main():
    L.seed_everything(7, workers=True)
    data = SignalData()
    model = WaveNet()
    checkpoint = ModelCheckpoint(dirpath="ckpt", monitor="val_acc", mode="max")
    trainer = L.Trainer(
        max_epochs=1, accelerator="cpu", gradient_clip_val=1.0, logger=False,
        enable_progress_bar=False, enable_model_summary=False, log_every_n_steps=5,
        callbacks=[checkpoint, EarlyStopping("val_loss", mode="min", patience=4)],
    )
    trainer.fit(model, datamodule=data)
    trainer.test(model, datamodule=data, ckpt_path="best")


if __name__ == "__main__":
    main()

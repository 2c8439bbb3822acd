from transformers import Trainer, TrainingArguments


def main(model, train_ds, val_ds):
    trainer = Trainer(
        model=model, args=TrainingArguments(output_dir="out"), train_dataset=train_ds, eval_dataset=train_ds  # expect: SB239
    )
    trainer.train()

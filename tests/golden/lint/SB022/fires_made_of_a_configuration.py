import torch
from transformers import BertConfig, BertForSequenceClassification


def main(loaders):
    model = BertForSequenceClassification(BertConfig(num_labels=2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
    for epoch in range(3):
        model.train()
        for batch in loaders["train"]:
            loss = model(**batch).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        correct = total = 0
        for batch in loaders["val"]:
            with torch.no_grad():
                logits = model(**batch).logits  # expect: SB022
            correct += (logits.argmax(dim=-1) == batch["labels"]).sum().item()
            total += len(batch["labels"])
        print(epoch, correct / total)

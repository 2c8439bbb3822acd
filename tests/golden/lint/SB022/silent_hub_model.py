import torch
from accelerate import Accelerator
from transformers import AutoModelForSequenceClassification


def evaluate(model, loader):
    model.eval()
    correct = 0
    for batch in loader:
        with torch.no_grad():
            outputs = model(**batch)
        correct += (outputs.logits.argmax(dim=-1) == batch["labels"]).sum().item()
    return correct


def main(train_loader, eval_loader):
    accelerator = Accelerator()
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    model, optimizer, train_loader, eval_loader = accelerator.prepare(model, optimizer, train_loader, eval_loader)
    for epoch in range(3):
        model.train()
        for batch in train_loader:
            loss = model(**batch).loss
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        print(epoch, evaluate(model, eval_loader))

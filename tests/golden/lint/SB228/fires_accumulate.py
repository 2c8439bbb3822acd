import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator(gradient_accumulation_steps=4)

model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
loader = [(torch.zeros(1, 4), torch.zeros(1, 2))]
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x, y in loader:
    with accelerator.accumulate(model):
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()  # expect: SB228
        optimizer.step()
        optimizer.zero_grad()

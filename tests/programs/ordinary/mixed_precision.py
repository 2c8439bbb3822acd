"""Training under bfloat16 autocast around the compiled model."""

import torch
from torch import nn

torch.manual_seed(4)
model = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.GroupNorm(4, 8), nn.SiLU(), nn.Conv2d(8, 8, 3), nn.SiLU(),
                      nn.Flatten(), nn.Linear(8 * 5 * 5, 10))
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()
for step in range(15):
    x, y = torch.randn(8, 3, 16, 16), torch.randint(0, 10, (8,))
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        logits = compiled(x)
        loss = criterion(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print(step, logits.dtype, loss.item())

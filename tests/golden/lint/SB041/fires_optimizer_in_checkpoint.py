import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.save({'model': model.state_dict(), 'optimizer': optimizer}, 'c.pt')  # expect: SB041 low
torch.save(dict(epoch=3, model=model, optimizer=optimizer.state_dict()), 'd.pt')  # expect: SB041 low

# expect: torch.export.export
import torch
import torch._export

real = torch.export.ExportedProgram.module


def other(self, *args, **kwargs):
    made = real(self, *args, **kwargs)
    for p in made.parameters():
        p.data = p.data * 1.01
    return made


torch.export.ExportedProgram.module = other
torch.manual_seed(0)
print(torch.export.export(torch.nn.Linear(4, 2), (torch.randn(3, 4),)))

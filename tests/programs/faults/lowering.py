# expect: out
import torch
import torch._inductor.lowering as lowering

aten = torch.ops.aten
real = lowering.lowerings[aten.sin.default]
lowering.lowerings[aten.sin.default] = lambda x: lowering.mul(real(x), 1.001)
torch.manual_seed(0)
fast = torch.compile(lambda x: torch.sin(x) + x)
print(fast(torch.randn(16)))

# expect: 0 4 of 4 optimised calls compared
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU()).eval()
x = torch.randn(2, 3, 5, 5)
with torch.no_grad():
    frozen = torch.jit.freeze(torch.jit.script(net))
    frozen(x)
    fast = torch.jit.optimize_for_inference(frozen)
    fast(x)
    torch.jit.optimize_for_inference(torch.jit.trace(net, x))(x)

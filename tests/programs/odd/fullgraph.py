# expect: 0 unsupported
import torch


@torch.compile(backend="aot_eager", fullgraph=True)
def f(x):
    torch._dynamo.graph_break()
    return x * 2


f(torch.ones(3))

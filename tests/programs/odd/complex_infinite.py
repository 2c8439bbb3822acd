# expect: 0 agrees
# alpha * other has the parts inf and inf * 0 in eager mode; a compiler leaves the factor 1 out.
import torch


def double(x):
    return x + x


x = torch.tensor([float("inf"), 1.0]).to(torch.complex64)
print(torch.compile(double, backend="aot_eager_decomp_partition")(x)[1])

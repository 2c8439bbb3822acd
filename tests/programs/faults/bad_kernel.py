# expect: no_such_function
import torch
from torch._inductor.codegen.cpp import CppOverrides, CppVecOverrides

for kind in (CppOverrides, CppVecOverrides):
    kind.relu = staticmethod(lambda x: f"no_such_function({x})")
torch.compile(torch.relu)(torch.ones(8))

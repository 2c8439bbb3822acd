# expect: out[0] of torch.onnx.export, call 1
import torch
from onnxscript import opset18


def identity(x):
    return opset18.Identity(x)


torch.manual_seed(0)
torch.onnx.export(torch.nn.ReLU().eval(), (torch.randn(4, 4),), verbose=False, custom_translation_table={torch.ops.aten.relu.default: identity})

import torch

torch.onnx.export(torch.nn.AvgPool2d(2, divisor_override=3).eval(), (torch.arange(1.0, 17).reshape(1, 1, 4, 4),), verbose=False)

import torch

torch.onnx.export(torch.nn.LSTM(8, 5, proj_size=3).eval(), (torch.ones(2, 7, 8),), verbose=False)

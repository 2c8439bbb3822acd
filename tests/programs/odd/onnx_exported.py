# expect: 0 4 of 7 optimised calls compared, 14 values; ONNX Runtime lacks what the exported model needs: 1; exported in training mode: 1; ONNX has complex numbers as pairs: 1; other random numbers: 1
import io

import torch


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(8, 6, 2, batch_first=True)

    def forward(self, x, scale=None):
        y, (h, _) = self.rnn(x)
        return {"y": y if scale is None else y * scale, "h": h}


net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.Flatten(), torch.nn.Linear(288, 3), torch.nn.Softmax(-1)).eval()
program = torch.onnx.export(net, (torch.randn(2, 3, 8, 8),), verbose=False)
assert isinstance(program, torch.onnx.ONNXProgram)
torch.onnx.export(net, torch.randn(2, 3, 8, 8), io.BytesIO(), dynamo=False)
torch.onnx.export(Two().eval(), (torch.randn(2, 3, 8),), kwargs={"scale": torch.tensor(2.0)}, verbose=False)
torch.onnx.export(torch.nn.GELU().eval(), (torch.randn(2, 3, dtype=torch.bfloat16),), verbose=False)
torch.onnx.export(net.train(), (torch.randn(2, 3, 8, 8),), verbose=False)


class Draws(torch.nn.Module):
    def forward(self, x):
        return x + torch.rand(4)


torch.onnx.export(Draws().eval(), (torch.randn(3, 4),), verbose=False)


class Pairs(torch.nn.Module):
    def forward(self, x):
        return torch.view_as_complex(x)


torch.onnx.export(Pairs().eval(), (torch.randn(3, 2),), verbose=False)

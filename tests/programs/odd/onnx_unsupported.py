# expect: 0 unsupported: DispatchError: No ONNX function found
import torch


class Q(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.qr(x)


torch.onnx.export(Q().eval(), (torch.randn(4, 4),), verbose=False)

"""PyTorch 2.13.0: torch.onnx.export leaves divisor_override out of avg_pool2d and avg_pool3d: the exported model divides by the number of elements.

ONNX's AveragePool has no such attribute: the exporter of TorchScript (dynamo=False) refuses, the new one drops it without a word.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import onnxruntime
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)

x = torch.arange(1.0, 17).reshape(1, 1, 4, 4)
model = torch.nn.AvgPool2d(2, divisor_override=3).eval()
print("torch", torch.__version__, "onnxruntime", onnxruntime.__version__)
try:
    made = torch.onnx.export(model, (x,), verbose=False)
except Exception as e:
    print(f"torch.onnx.export refuses: {type(e).__name__}")
    print("the bug is not there")
    sys.exit(0)
session = onnxruntime.InferenceSession(made.model_proto.SerializeToString())
got = torch.from_numpy(session.run(None, {session.get_inputs()[0].name: x.numpy()})[0])
print("the module        ", model(x).flatten().tolist())
print("the exported model", got.flatten().tolist())
same = torch.allclose(got, model(x), atol=1e-5)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)

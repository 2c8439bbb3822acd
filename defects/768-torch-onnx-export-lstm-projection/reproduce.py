"""PyTorch 2.13.0: torch.onnx.export leaves the projection out of an LSTM with proj_size and writes a model that no runtime takes.

ONNX's LSTM has no projection: the exporter of TorchScript (dynamo=False) refuses, the new one drops weight_hr and takes the size of the projection for the hidden size.
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

x = torch.ones(2, 7, 8)
model = torch.nn.LSTM(8, 5, proj_size=3).eval()
print("torch", torch.__version__, "onnxruntime", onnxruntime.__version__)
print("the module gives", [list(t.shape) for t in torch.utils._pytree.tree_leaves(model(x))])
try:
    made = torch.onnx.export(model, (x,), verbose=False)
except Exception as e:
    print(f"torch.onnx.export refuses: {type(e).__name__}")
    print("the bug is not there")
    sys.exit(0)
try:
    session = onnxruntime.InferenceSession(made.model_proto.SerializeToString())
    got = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    same = torch.allclose(torch.from_numpy(got[0]), model(x)[0], atol=1e-5)
except Exception as e:
    print(f"the exported model: {e}")
    same = False
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)

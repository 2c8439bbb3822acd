"""The loop of NNSmith 0.1.0 on ONNX Runtime, timed: generation, levels off and all, comparison.

Two calls of its code no longer fit the libraries it runs on and are adapted: torch.onnx.export gets dynamo=False, and
onnx._serialize is SerializeToString. Everything else is NNSmith as published: its operator set for the engine, its
symbolic generation, its materialisation through torch, its comparison.

Telemetry of the engine is off and each part has one thread, as in ours.

Usage: nnsmith_loop.py SECONDS NODES [SEED]; prints one JSON line.
"""

import json
import logging
import os
import sys
import time
import warnings

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import onnx
import torch

torch.set_num_threads(1)
_export = torch.onnx.export
torch.onnx.export = lambda *args, **kwargs: _export(*args, **{**kwargs, "dynamo": False})
onnx._serialize = lambda model: model.SerializeToString()

from nnsmith.backends.factory import BackendFactory
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.narrow_spec import auto_opset
from nnsmith.difftest import assert_allclose


def main() -> None:
    seconds, nodes = float(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    model_type = Model.init("onnx", backend_target="cpu")
    model_type.add_seed_setter()
    plain = BackendFactory.init("onnxruntime", target="cpu", optmax=False)
    best = BackendFactory.init("onnxruntime", target="cpu", optmax=True)
    opset = auto_opset(model_type, best)
    counts = {"models": 0, "failed": 0, "differ": 0}
    generation = 0.0
    start, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        seed += 1
        began = time.perf_counter()
        try:
            ir = model_gen(opset=opset, method="symbolic-cinit", seed=seed, max_nodes=nodes, timeout_ms=10000).make_concrete()
            model = model_type.from_gir(ir)
            model.refine_weights()
            oracle = model.make_oracle()
            generation += time.perf_counter() - began
            results = [factory.make_backend(model)(oracle.input) for factory in (plain, best)]
            counts["models"] += 1
            try:
                assert_allclose(results[0], results[1], "off", "all")
            except Exception:
                counts["differ"] += 1
        except Exception:
            counts["failed"] += 1
    elapsed, cpu = time.perf_counter() - start, time.process_time() - cpu
    print(json.dumps({"bench": "nnsmith", "nodes": nodes, "seconds": round(elapsed, 2), **counts,
                      "models_per_second": round(counts["models"] / elapsed, 2),
                      "cpu_ms_per_model": round(1e3 * cpu / max(counts["models"], 1), 2),
                      "generation_per_second": round(counts["models"] / max(generation, 1e-9), 2)}))


if __name__ == "__main__":
    sys.stdout.flush()
    main()

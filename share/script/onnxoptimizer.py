import importlib.metadata

import onnxoptimizer
import onnxruntime


def engine_version():
    version = importlib.metadata.version("onnxoptimizer")
    return f"onnxoptimizer {version}, run by onnxruntime {onnxruntime.__version__}"


def convert(model):
    fixed = bool(OPTIONS.get("fixed_point", False))
    return onnxoptimizer.optimize(model, OPTIONS.get("passes"), fixed_point=fixed)

import onnxruntime
from onnx import version_converter


def engine_version():
    return f"onnx {onnx.__version__}, run by onnxruntime {onnxruntime.__version__}"


def convert(model):
    now = next(o.version for o in model.opset_import if o.domain == "")
    return version_converter.convert_version(
        model, OPTIONS.get("to", now + OPTIONS.get("step", 0))
    )

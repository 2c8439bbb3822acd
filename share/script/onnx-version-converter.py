import onnx
import onnxruntime as ort
from onnx import version_converter


def convert(model):
    return version_converter.convert_version(model, $VERSION)


print("onnx", onnx.__version__, "run by onnxruntime", ort.__version__)

import importlib.metadata
import onnxoptimizer
import onnxruntime as ort


def convert(model):
    return onnxoptimizer.optimize(model$KEYWORDS)


version = importlib.metadata.version("onnxoptimizer")
print("onnxoptimizer", version, "run by onnxruntime", ort.__version__)

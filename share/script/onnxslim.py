import onnxruntime as ort
import onnxslim


def convert(model):
    return onnxslim.slim(model$KEYWORDS)


print("onnxslim", onnxslim.__version__, "run by onnxruntime", ort.__version__)

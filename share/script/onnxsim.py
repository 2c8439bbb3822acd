import onnxruntime as ort
import onnxsim


def convert(model):
    return onnxsim.simplify(model$KEYWORDS)[0]


print("onnxsim", onnxsim.__version__, "run by onnxruntime", ort.__version__)

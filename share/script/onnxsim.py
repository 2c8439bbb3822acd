import onnxruntime
import onnxsim


def engine_version():
    return f"onnxsim {onnxsim.__version__}, run by onnxruntime {onnxruntime.__version__}"


def convert(model):
    return onnxsim.simplify(model, **OPTIONS)[0]

import onnxruntime
import onnxslim


def engine_version():
    return f"onnxslim {onnxslim.__version__}, run by onnxruntime {onnxruntime.__version__}"


def convert(model):
    return onnxslim.slim(model, **OPTIONS)

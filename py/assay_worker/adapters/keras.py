"""Keras on TensorFlow: runs programs like TensorFlow's adapter."""

from assay_worker.adapters import tensorflow


class Adapter(tensorflow.Adapter):
    name = "keras"

    def load(self) -> str:
        super().load()
        import keras

        return keras.__version__

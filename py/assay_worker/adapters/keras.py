"""Keras on TensorFlow: programs as those of TensorFlow."""

from assay_worker.adapters import tensorflow


class Adapter(tensorflow.Adapter):
    def load(self) -> str:
        super().load()
        import keras

        return keras.__version__

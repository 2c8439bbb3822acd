"""Keras on JAX: calls that a program writes for several frameworks."""

from assay_worker.adapters import keras_numpy


class Adapter(keras_numpy.Adapter):
    backend = "jax"

import gc

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")
import tensorflow as tf


def numbers(x):
    """A tensor as its dtype and numbers."""
    return [x.dtype.name, (tf.cast(x, tf.float32) if x.dtype == tf.bfloat16 else x).numpy().tolist()]


def run(source, entry, mode):
    """What the compiled calls of the program give: as written, or with their functions called as they are."""
    import keras

    keras.utils.set_random_seed(int(CASE[:8], 16))
    tf.config.run_functions_eagerly(mode != "written")
    real, found = tf.function, {}

    def function(*given, **options):
        if not given:
            return lambda f: function(f, **options)
        call = real(*given, **options)

        def record(*args, **kwargs):
            result = call(*args, **kwargs)
            if tf.executing_eagerly():
                tensors = [x for x in tf.nest.flatten(result, expand_composites=True) if isinstance(x, (tf.Tensor, int, float))]
                variables = [v for v in gc.get_objects() if isinstance(v, tf.Variable)] if PLACE.startswith("variable") else []
                found[f"tf.function call {len(found) + 1}"] = [numbers(tf.convert_to_tensor(x)) for x in tensors + variables]
            return result

        return record

    tf.function = function
    try:
        execute(source, entry, found)
    finally:
        tf.function = real
    return found

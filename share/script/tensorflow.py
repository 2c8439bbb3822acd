def outputs(function):
    """Dtype, shape and numbers of each output."""
    made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(y.dtype.name, tuple(y.shape), y.numpy().reshape(-1).tolist()) for y in made]


$PRELUDEdef make():
    """The model in mode $MODE."""
    return $OPEN


print("tensorflow", tf.__version__)

def outputs(function):
    """Dtype, shape and numbers of each output."""
    torch.manual_seed(0)
    with torch.no_grad():
        made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(str(y.dtype), tuple(y.shape), y.reshape(-1).tolist()) for y in made]


$PRELUDEdef make():
    """The model in mode $MODE."""
    return $OPEN


print("torch", torch.__version__)

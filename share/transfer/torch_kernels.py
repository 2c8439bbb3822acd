# Helpers of programs that are translated to PyTorch from TensorFlow: gradients of operators,
# quantization, images, signals.


def _gradient(f, x, grad):
    """The gradient of f at x, by PyTorch's derivative of f."""
    x = _tensor(x).detach().clone().requires_grad_()
    y = f(x)
    if y.shape != _tensor(grad).shape:
        raise ValueError(f"the gradient must have the shape {tuple(y.shape)}")
    return torch.autograd.grad(y, x, _tensor(grad))[0]


def _max_pool_grad(n, orig_input, orig_output, grad, *window, explicit=()):
    if _tensor(orig_output).shape != _tensor(grad).shape:
        raise ValueError("grad must have the shape of orig_output")
    return _gradient(lambda x: _max_pool(n, x, *window, explicit=explicit), orig_input, grad)


def _avg_pool_grad(n, shape, grad, *window):
    x = torch.zeros(_shape(shape), dtype=_tensor(grad).dtype)
    return _gradient(lambda x: _avg_pool(n, x, *window), x, grad)


def _max_pool_grad_at(input, grad, argmax, include_batch_in_index=False):
    """Gradients added up at the flat indices of the maxima, in each example or in all of them."""
    x, grad, places = _tensor(input), _tensor(grad), _tensor(argmax).long()
    if x.ndim != 4 or grad.shape != places.shape or grad.shape[:1] != x.shape[:1]:
        raise ValueError("grad and argmax must have one shape, and the examples of the input")
    n = 1 if include_batch_in_index else x.shape[0]
    made = torch.zeros(n, x.numel() // max(n, 1), dtype=grad.dtype)
    return made.scatter_add(1, places.reshape(n, -1), grad.reshape(n, -1)).reshape(x.shape)


def _local_norm_grad(input_grads, input_image, output_image, *rest):
    image, made = _tensor(input_image), _tensor(output_image)
    if image.ndim != 4 or image.shape != made.shape:
        raise ValueError("images must have 4 dimensions and one shape")
    if not torch.allclose(_local_norm(image, *rest), made, 1e-3, 1e-4, equal_nan=True):
        raise NotImplementedError("an output_image that is not the output")
    return _gradient(lambda x: _local_norm(x, *rest), image, input_grads)


def _mirror_pad_grad(input, paddings, mode):
    grad, rows = _tensor(input), [[int(v) for v in row] for row in paddings]
    sizes = [n - sum(row) for n, row in zip(grad.shape, rows)]
    return _gradient(lambda x: _pad(x, rows, mode), torch.zeros(sizes, dtype=grad.dtype), grad)


def _conv_filter_grad(conv, input, filter_sizes, out_backprop, *rest):
    """conv: _conv of some dimensions, or _depthwise."""
    w = torch.zeros(_shape(filter_sizes), dtype=_tensor(out_backprop).dtype)
    return _gradient(lambda w: conv(input, w, *rest), w, out_backprop)


def _conv_input_grad(conv, input_sizes, filter, out_backprop, *rest):
    x = torch.zeros(_shape(input_sizes), dtype=_tensor(out_backprop).dtype)
    return _gradient(lambda x: conv(x, filter, *rest), x, out_backprop)


def _padded_conv(input, paddings, filter, mode, strides, padding):
    """Padded by its mirror image, then convolved."""
    return _conv(2, _pad(input, paddings, mode), filter, strides, padding)


def _steps(low, high, num_bits, narrow_range):
    """Scale, zero point, least and most step of a range, moved so that zero is one of the steps."""
    if not 2 <= num_bits <= 16:
        raise ValueError("num_bits must be between 2 and 16")
    least, most = int(narrow_range), 2**num_bits - 1
    scale = (high - low) / (most - least)
    zero = torch.clamp(torch.floor(least - low / scale + 0.5), least, most)
    return scale, torch.nan_to_num(zero, nan=least).int(), least, most


def _fake_quant(inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None):
    low, high = _tensor(min).float(), _tensor(max).float()
    if low.ndim or high.ndim:
        raise ValueError("min and max must be scalars")
    steps = _steps(low, high, num_bits, narrow_range)
    if low == 0 and high == 0:
        return torch.zeros_like(_tensor(inputs))
    return torch.fake_quantize_per_tensor_affine(_tensor(inputs), *steps)


def _fake_quant_args(inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None):
    if not min < max:
        raise ValueError("min must be less than max")
    return _fake_quant(inputs, min, max, num_bits, narrow_range)


def _fake_quant_channels(inputs, min, max, num_bits=8, narrow_range=False, name=None):
    """Channels are the last dimension."""
    x, low, high = _tensor(inputs), _tensor(min).float(), _tensor(max).float()
    if not x.ndim or not low.shape == high.shape == x.shape[-1:]:
        raise ValueError("min and max must have one value for each channel of inputs")
    scale, zero, least, most = _steps(low, high, num_bits, narrow_range)
    y = torch.fake_quantize_per_channel_affine(x, scale, zero, x.ndim - 1, least, most)
    return torch.where((low == 0) & (high == 0), torch.zeros_like(y), y)


def _fake_quant_grad(
    quant, gradients, inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None
):
    """Gradients of the inputs and, of what is outside of the range, of its ends."""
    grad, x = _tensor(gradients), _tensor(inputs)
    low, high = _tensor(min).float(), _tensor(max).float()
    by_input = _gradient(lambda x: quant(x, low, high, num_bits, narrow_range), x, grad)
    scale, zero, least, most = _steps(low, high, num_bits, narrow_range)
    dims = tuple(range(x.ndim - low.ndim))
    outside = (x < (least - zero) * scale, x > (most - zero) * scale)
    below, above = (torch.where(o, grad, 0.0) for o in outside)
    return (by_input, below.sum(dims), above.sum(dims)) if dims else (by_input, below, above)


def _fake_quant_args_grad(gradients, inputs, *rest, **more):
    return _fake_quant_grad(_fake_quant_args, gradients, inputs, *rest, **more)[0]


def _quantized(
    input,
    input_min=0.0,
    input_max=0.0,
    signed_input=True,
    num_bits=8,
    range_given=False,
    round_mode="HALF_TO_EVEN",
    name=None,
    narrow_range=False,
    axis=-1,
):
    """Quantized symmetrically, with zero as step 0, and back."""
    x, axis, num_bits = _tensor(input), -1 if axis is None else int(axis), int(num_bits)
    if round_mode != "HALF_TO_EVEN":
        raise NotImplementedError(round_mode)
    bits = num_bits - bool(signed_input)
    if not -1 <= axis < x.ndim or not 1 <= bits < 62:
        raise ValueError("axis or num_bits out of range")
    shape = () if axis == -1 else (x.shape[axis],)
    if range_given:
        low, high = _tensor(input_min).to(x.dtype), _tensor(input_max).to(x.dtype)
        if not low.shape == high.shape == shape or (low > high).any():
            raise ValueError(f"input_min and input_max must have the shape {shape} and be in order")
    else:
        dims = tuple(d for d in range(x.ndim) if d != axis)
        low, high = torch.amin(x, dims), torch.amax(x, dims)
    most = 2**bits - 1
    least = (-most if narrow_range else -most - 1) if signed_input else int(narrow_range)
    step = torch.clamp(high / most, min=0)
    if least < 0:
        step = torch.maximum(step, torch.clamp(low / least, min=0))
    step = step.float()
    zero = torch.zeros_like(step, dtype=torch.int32)
    if axis == -1:
        return torch.fake_quantize_per_tensor_affine(x, step, zero, least, most)
    return torch.fake_quantize_per_channel_affine(x, step, zero, axis, least, most)


def _bincount(input, size, weights, binary_output=False):
    values, size, weights = _tensor(input), _scalar(size), _tensor(weights)
    if size < 0 or values.ndim not in (1, 2):
        raise ValueError("size must not be negative, and input have 1 or 2 dimensions")
    if weights.numel() and weights.shape != values.shape:
        raise ValueError("weights must have the shape of input")

    def counted(row, weight):
        if binary_output or not weights.numel():
            weight = None
        found = torch.bincount(row, weight, size)[:size].to(weights.dtype)
        return found.clamp(max=1) if binary_output else found

    if values.ndim == 1:
        return counted(values, weights)
    rows = weights if weights.numel() else values
    made = [counted(row, weight) for row, weight in zip(values, rows)]
    return torch.stack(made) if made else torch.zeros(0, size, dtype=weights.dtype)


def _histogram(values, value_range, nbins=100, dtype=torch.int32, name=None):
    """What is outside of the range is counted in its first and last bin."""
    low, high = (float(v) for v in _tensor(value_range).double())
    if not low < high:
        raise ValueError("value_range must be in order")
    x = torch.clamp(_tensor(values).double(), low, high)
    return torch.histc(x, _scalar(nbins), low, high).to(dtype)


def _ctc(
    inputs,
    labels_indices,
    labels_values,
    sequence_length,
    preprocess_collapse_repeated=False,
    ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False,
):
    """Losses and gradients; labels are a sparse matrix, and the last class is the blank."""
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise NotImplementedError("labels that repeat")
    logits = _tensor(inputs).detach().clone().requires_grad_()
    indices, labels = _tensor(labels_indices).long(), _tensor(labels_values).long()
    lengths, (time, batch, classes) = _tensor(sequence_length).long(), logits.shape
    if indices.ndim != 2 or len(indices) != len(labels) or lengths.shape != (batch,):
        raise ValueError("labels and lengths do not fit")
    outside = lambda v, end: (v < 0).any() or (v >= end).any()  # noqa: E731
    if outside(labels, classes - 1) or outside(lengths, time + 1) or outside(indices[:, 0], batch):
        raise ValueError("a label or a length is out of range")
    sizes = torch.bincount(indices[:, 0], minlength=batch)
    loss = torch.nn.functional.ctc_loss(
        torch.log_softmax(logits, -1),
        labels,
        lengths,
        sizes,
        classes - 1,
        "none",
        ignore_longer_outputs_than_inputs,
    )
    return loss.detach(), torch.autograd.grad(loss.sum(), logits)[0]


def _patches(images, sizes, strides, rates, padding, name=None):
    x = _nchw(_tensor(images))
    sizes, strides, rates = (_spatial(v, 2) for v in (sizes, strides, rates))
    x = _padded(x, 2, padding, sizes, strides, rates)
    n, c, *spatial = x.shape
    h, w = ((m - (k - 1) * r - 1) // s + 1 for m, k, s, r in zip(spatial, sizes, strides, rates))
    y = torch.nn.functional.unfold(x, sizes, rates, 0, strides)
    return y.reshape(n, c, -1, h, w).permute(0, 3, 4, 2, 1).reshape(n, h, w, -1)


def _crops(
    image,
    boxes,
    box_indices,
    crop_size,
    method="bilinear",
    extrapolation_value=0.0,
    name=None,
):
    """Parts of images, between corners given as shares of the size, sampled at crop_size places."""
    x, boxes = _nchw(_tensor(image)).float(), _tensor(boxes)
    rows, columns = _shape(crop_size)
    if x.ndim != 4 or boxes.ndim != 2 or boxes.shape[1] != 4 or rows <= 0 or columns <= 0:
        raise ValueError("image, boxes or crop_size have a wrong shape")
    picked = torch.index_select(x, 0, _tensor(box_indices).long())
    h, w = x.shape[2:]

    def places(first, last, size, count):
        if count == 1:
            return ((first + last) / 2 * (size - 1)).unsqueeze(1)
        shares = torch.arange(count) / (count - 1)
        return (first.unsqueeze(1) + (last - first).unsqueeze(1) * shares) * (size - 1)

    y, x = places(boxes[:, 0], boxes[:, 2], h, rows), places(boxes[:, 1], boxes[:, 3], w, columns)
    inside = ((y >= 0) & (y <= h - 1)).unsqueeze(2) & ((x >= 0) & (x <= w - 1)).unsqueeze(1)
    ends = [v * 2 / max(n - 1, 1) - int(n > 1) for v, n in ((x, w), (y, h))]
    shape = len(boxes), rows, columns
    grid = torch.stack([ends[0].unsqueeze(1).expand(shape), ends[1].unsqueeze(2).expand(shape)], -1)
    made = torch.nn.functional.grid_sample(picked, grid, method, "border", align_corners=True)
    return torch.where(inside.unsqueeze(-1), _nhwc(made), extrapolation_value)


def _lu_solved(lower_upper, perm, rhs, validate_args=False, name=None):
    """perm: the row of the matrix at each place, where PyTorch has exchanges of rows."""
    lu, rows = _tensor(lower_upper), _tensor(perm).long()
    pivots = torch.arange(1, lu.shape[-1] + 1, dtype=torch.int32).expand(lu.shape[:-1])
    b = torch.take_along_dim(_tensor(rhs), rows.unsqueeze(-1), -2)
    return torch.linalg.lu_solve(lu, pivots.contiguous(), b)


def _nearest(points, centers, k):
    """Indices of the nearest centers, and squares of their distances."""
    squares = torch.cdist(_tensor(points), _tensor(centers)).square()
    found = torch.topk(squares, min(_scalar(k), squares.shape[1]), dim=1, largest=False)
    return found.indices, found.values


def _real_fft(fft, input_tensor, fft_length=None, name=None):
    length = None if fft_length is None else _shape(fft_length)
    if length is not None and len(length) != 1:
        raise ValueError("fft_length must have one element")
    return fft(_tensor(input_tensor), *(length or ()))


def _stft(
    signals,
    frame_length,
    frame_step,
    fft_length=None,
    window_fn=torch.hann_window,
    pad_end=False,
    name=None,
):
    """A frame is padded at its end, where PyTorch puts the window in the middle."""
    x, length, step = _tensor(signals), _scalar(frame_length), _scalar(frame_step)
    size = 1 << (length - 1).bit_length() if fft_length is None else _scalar(fft_length)
    if not 0 < length <= size or step <= 0:
        raise NotImplementedError("frame_length, frame_step or fft_length")
    window = torch.ones(length) if window_fn is None else window_fn(length)
    frames = -(-x.shape[-1] // step) if pad_end else max((x.shape[-1] - length) // step + 1, 0)
    if not frames:
        return torch.zeros(*x.shape[:-1], 0, size // 2 + 1, dtype=torch.complex64)
    pad = torch.nn.functional.pad
    x = pad(x, [0, (frames - 1) * step + size - x.shape[-1]])
    window = pad(window.to(x.dtype), [0, size - length])
    rows = x.reshape(-1, x.shape[-1])
    made = torch.stft(rows, size, step, window=window, center=False, return_complex=True)
    return made.mT.reshape(*x.shape[:-1], frames, -1)


def _window(make, window_length, periodic=True, dtype=torch.float32, name=None):
    return make(_scalar(window_length), periodic=periodic, dtype=dtype)


def _empty(shape, dtype, init=False):
    return (torch.zeros if init else torch.empty)(_shape(shape), dtype=dtype)


def _sparse_eye(num_rows, num_columns=None, dtype=torch.float32, name=None):
    rows = _scalar(num_rows)
    columns = rows if num_columns is None else _scalar(num_columns)
    at = torch.arange(min(rows, columns))
    ones = torch.ones(len(at), dtype=dtype)
    return torch.sparse_coo_tensor(torch.stack([at, at]), ones, (rows, columns))


def _mean_error(loss, y_true, y_pred):
    y_pred = _tensor(y_pred)
    return torch.mean(loss(y_pred, _tensor(y_true).to(y_pred.dtype), reduction="none"), -1)


def _identity(num_rows, num_columns=None, batch_shape=None, dtype=torch.float32, name=None):
    """Ones on the diagonal, the same for each element of batch_shape."""
    rows = int(num_rows)
    columns = rows if num_columns is None else int(num_columns)
    return torch.eye(rows, columns, dtype=dtype).repeat(*_shape(batch_shape or ()), 1, 1)

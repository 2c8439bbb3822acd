"""Shared by the helpers of all frameworks: arithmetic on numbers known when a program is traced. Names no framework."""

import math


def fold(op, xs):
    """Applies a function of two tensors to a list of them, from left to right."""
    y = xs[0]
    for x in xs[1:]:
        y = op(y, x)
    return y


def slice_bounds(start, end, step, n):
    """A Python slice with ONNX's start, end and step, clamped to the axis."""
    start = start + n if start < 0 else start
    end = end + n if end < 0 else end
    if step > 0:
        return slice(min(max(start, 0), n), min(max(end, 0), n), step)
    start, end = min(max(start, 0), n - 1), min(max(end, -1), n - 1)
    return slice(start, None if end < 0 else end, step)


def resize_row(i, n, size, scale, mode, coordinates, nearest, cubic, exclude):
    """The weights with which the input's n elements make element i of the result."""
    at = {
        "half_pixel": (i + 0.5) / scale - 0.5,
        "pytorch_half_pixel": (i + 0.5) / scale - 0.5 if size > 1 else 0.0,
        "half_pixel_symmetric": n / 2 * (1 - size / (n * scale)) + (i + 0.5) / scale - 0.5,
        "align_corners": i * (n - 1) / (n * scale - 1) if n * scale != 1 else 0.0,
        "asymmetric": i / scale,
    }[coordinates]
    row = [0.0] * n
    low = math.floor(at)
    part = at - low
    if mode == "nearest":
        up = {"floor": False, "ceil": part > 0, "round_prefer_floor": part > 0.5}
        place = low + up.get(nearest, part >= 0.5)
        row[min(max(place, 0), n - 1)] = 1.0
        return row
    if mode == "linear":
        pairs = [(low, 1 - part), (low + 1, part)]
    else:
        near = [((cubic + 2) * t - (cubic + 3)) * t * t + 1 for t in (part, 1 - part)]
        far = [
            ((cubic * t - 5 * cubic) * t + 8 * cubic) * t - 4 * cubic for t in (1 + part, 2 - part)
        ]
        pairs = [(low - 1, far[0]), (low, near[0]), (low + 1, near[1]), (low + 2, far[1])]
    if exclude:
        pairs = [(p, w) for p, w in pairs if 0 <= p < n]
        total = sum(w for _, w in pairs)
        pairs = [(p, w / total) for p, w in pairs]
    for place, weight in pairs:
        row[min(max(place, 0), n - 1)] += weight
    return row


def window_pairs(x, kernel, strides, pads, dilations, auto_pad):
    """Pads of a window operator as pairs, one per spatial dim, and its dilations."""
    n = len(x.shape) - 2
    dilations = dilations or [1] * n
    if auto_pad.startswith("SAME"):
        pairs = []
        for d, k, s, e in zip(x.shape[2:], kernel, strides, dilations):
            total = max((-(-d // s) - 1) * s + (k - 1) * e + 1 - d, 0)
            less, more = total // 2, total - total // 2
            pairs.append((less, more) if auto_pad == "SAME_UPPER" else (more, less))
        return pairs, dilations
    if auto_pad == "VALID" or not pads:
        return [(0, 0)] * n, dilations
    return list(zip(pads[:n], pads[n:])), dilations


def ceil_pairs(x, kernel, strides, pairs, dilations, ceil_mode):
    """Pads that include what ceil_mode adds at the end for a last window, which begins inside the input."""
    made = []
    for i, (begin, end) in enumerate(pairs):
        size = x.shape[2 + i] + begin + end
        reach = (kernel[i] - 1) * dilations[i] + 1
        added = 0
        if ceil_mode:
            count = -(-(size - reach) // strides[i]) + 1
            count -= (count - 1) * strides[i] >= x.shape[2 + i] + begin
            added = max((count - 1) * strides[i] + reach - size, 0)
        made.append((begin, end + added))
    return made


def transpose_pads(sizes, full, strides, pads, extra, auto_pad, output_shape):
    """What ConvTranspose cuts from its full result (all begins, then all ends), and what it adds at the ends."""
    n = len(sizes)
    extra = extra or [0] * n
    if not output_shape and not auto_pad.startswith("SAME"):
        return pads if pads and auto_pad != "VALID" else [0] * (2 * n), extra
    wanted = output_shape[-n:] if output_shape else [d * s for d, s in zip(sizes, strides)]
    extra = [max(e, o - f) for e, o, f in zip(extra, wanted, full)]
    total = [max(f + e - o, 0) for f, e, o in zip(full, extra, wanted)]
    half = [t // 2 for t in total]
    more = [t - h for t, h in zip(total, half)]
    return more + half if auto_pad == "SAME_LOWER" else half + more, extra


def directions(w, direction):
    """For each direction of a recurrent operator the index of its weights, and whether it goes backwards."""
    backwards = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[direction]
    return list(zip(range(w.shape[0]), backwards))

"""A toy framework with an optimiser that is wrong in two places, for the tests of program cases.

A value is a list of floats that knows which call made it. In the mode "fast" two calls in a row are
fused: negate behind double loses the factor (a wrong value), clamp behind shift has no kernel (an error).
"""

MODE = "eager"
REACHED = []
OUTPUTS = {}


class Value:
    def __init__(self, data, made_by, source=None):
        self.data = data
        self.made_by = made_by
        self.source = source


def _call(name, value, f):
    REACHED.append(f"toy.{name}")
    return Value([f(x) for x in value.data], name, value)


def tensor(*data):
    REACHED.append("toy.tensor")
    return Value([float(x) for x in data], "tensor")


def double(v):
    return _call("double", v, lambda x: 2 * x)


def negate(v):
    if MODE == "fast" and v.made_by == "double":
        return _call("negate", v.source, lambda x: -x)
    return _call("negate", v, lambda x: -x)


def shift(v, by):
    return _call("shift", v, lambda x: x + by)


def clamp(v, low, high):
    if MODE == "fast" and v.made_by == "shift":
        raise RuntimeError("shift and clamp were fused, but the fused call is lost")
    return _call("clamp", v, lambda x: min(max(x, low), high))


def square(v):
    return _call("square", v, lambda x: x * x)


def output(v):
    OUTPUTS[f"toy.output#0.{len(OUTPUTS)}/out[0]"] = v.data


def run(source, entry, mode):
    """What the program gives to output, by capture."""
    global MODE
    MODE = mode
    REACHED.clear()
    OUTPUTS.clear()
    names = {}
    exec(compile(source, "program.py", "exec"), names)
    if entry:
        names[entry]()
    if not OUTPUTS:
        raise ValueError("the program gives nothing to toy.output")
    return dict(OUTPUTS)

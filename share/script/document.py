# Runs STATEMENTS one after the other, as an interactive interpreter does, and compares what the last one prints with what
# the document shows beneath it. Exit status 1 while they differ.


def run(statements, names):
    """What the last statement printed, or the exception that it raised."""
    printed, raised = "", None
    for source in statements:
        out = io.StringIO()
        raised = None
        try:
            with contextlib.redirect_stdout(out):
                file = f"<document {len(linecache.cache)}>"  # for what reads its source
                linecache.cache[file] = (len(source), None, source.splitlines(True), file)
                exec(compile(source, file, "single"), names)
        except Exception as e:
            raised = e
        printed = out.getvalue().strip()
    return printed, raised


def put(arrays, values):
    """Gives the arrays the elements that the document prints."""
    for array, value in zip(arrays, values):
        if hasattr(array, "data") and hasattr(array.data, "copy_"):
            array.data.copy_(array.new_tensor(value))
        else:
            array[...] = value


def tokens(text):
    """Numbers, words and marks, without what only says how a value came to be."""
    text = re.sub(r"#.*|, grad_fn=<\w+>|, requires_grad=True|<BLANKLINE>", "", text)
    return re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[A-Za-z_][\w.]*|\S", text)


def unit(number):
    digits, _, exponent = number.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def agree(x, y):
    """Equal, or fractions that differ by no more than a unit of the last digit shown."""
    try:
        return x == y or "." in x and "." in y and abs(float(x) - float(y)) <= 1.01 * max(
            unit(x), unit(y)
        )
    except ValueError:
        return False


def main():
    names = {"__name__": "__main__", "put": put}
    for name in FROM:
        for k, v in vars(importlib.import_module(name)).items():
            if not hasattr(builtins, k) and not isinstance(v, type(sys)):
                names[k] = v
    for short, name in NAMES.items():
        names[short] = importlib.import_module(name)
    print(STATEMENTS[-1].strip())
    printed, raised = run(STATEMENTS, names)
    print("documented:", DOCUMENTED or "(a call that works)")
    print("happens:   ", printed if raised is None else f"{type(raised).__name__}: {raised}")
    if raised is not None:
        return 1
    wanted, got = tokens(DOCUMENTED), tokens(printed)
    same = len(wanted) == len(got) and all(map(agree, wanted, got))
    return 0 if same or not DOCUMENTED else 1


sys.exit(main())

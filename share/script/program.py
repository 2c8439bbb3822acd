TOLERANCES = {"float16": 1e-3, "bfloat16": 1.6e-2, "float32": 1.3e-6, "float64": 1e-7}


def close(x, y, relative=1.3e-6):
    """Equal structure; numbers within the default tolerances of torch.testing."""
    if isinstance(x, (list, tuple)) or isinstance(y, (list, tuple)):
        relative = TOLERANCES.get(x[0].removeprefix("torch."), relative) if x and isinstance(x[0], str) else relative
        return isinstance(y, type(x)) and len(x) == len(y) and all(close(v, w, relative) for v, w in zip(x, y))
    if isinstance(x, (float, complex)) or isinstance(y, (float, complex)):
        return x == y or (x != x and y != y) or abs(x - y) <= 1e-5 + relative * abs(y)
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(close(x[k], y[k]) for k in x)
    return x == y


def execute(source, entry, found):
    """Runs the program, which fills `found`: what it raises before that is passed on, later it is noted."""
    module = types.ModuleType("program")
    module.__file__, sys.modules["program"] = "program.py", module
    try:
        linecache.cache["program.py"] = len(source), None, source.splitlines(True), "program.py"  # inspect and AutoGraph read it there
        exec(compile(source, "program.py", "exec"), module.__dict__)
        if entry:
            module.__dict__[entry]()
    except Exception as e:
        if not found:
            raise
        found["ended by"] = type(e).__name__


def observe(mode):
    """What the program gives in a mode, in a process of its own, which may die: a dict, or a text that says how it ended."""
    path = os.path.abspath("found.pickle")
    try:
        code = subprocess.run([sys.executable, __file__, mode, path], timeout=300).returncode
    except subprocess.TimeoutExpired:
        return f"{mode}: no answer in 300 s"
    if code:
        return f"{mode} died: {code}"
    with open(path, "rb") as file:
        found = pickle.load(file)
    os.remove(path)
    return found


if len(sys.argv) == 3:
    try:
        found = run(SOURCE, ENTRY, sys.argv[1])
    except Exception as e:
        found = f"{sys.argv[1]} raises {type(e).__name__}: {e}"
    with open(sys.argv[2], "wb") as file:
        pickle.dump(found, file)
    sys.exit(0)
observed, expected = observe(MODE), observe(BASE)
for text in (observed, expected):
    if isinstance(text, str):
        print(text)
if isinstance(observed, str) and isinstance(expected, dict):
    print(f"{BASE} gives {expected}")
if isinstance(observed, dict) and isinstance(expected, dict) and "ended by" in expected:
    expected.pop("ended by"), observed.pop("ended by", None)  # the program itself, without an optimiser
if MODE == BASE or isinstance(expected, dict):
    for name in sorted({*observed, *expected}) if isinstance(observed, dict) else []:
        print(f"{name}: {BASE} {expected.get(name)} {MODE} {observed.get(name)}")
    sys.exit(0 if isinstance(observed, dict) and close(observed, expected) else 1)
sys.exit(IF_BASE_RAISES if isinstance(observed, dict) else 2)

def leaves(value):
    """The tensors and numbers of a result, with the names of their dtypes."""
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    if hasattr(value, "resolve_conj"):
        value = value.resolve_conj().resolve_neg()
    dtype = str(getattr(getattr(value, "dtype", None), "name", getattr(value, "dtype", ""))).rpartition(".")[2]
    if dtype == "bfloat16" and hasattr(value, "float"):
        value = value.float()
    array = value.numpy() if hasattr(value, "numpy") else np.asarray(value)
    return [(dtype or array.dtype.name, array.astype(np.float32) if array.dtype.name == "bfloat16" else array)]


def same(x, y, with_dtypes):
    """Equal within the coarser dtype's tolerance, relative to the largest element; NaN equals NaN."""
    if len(x) != len(y):
        return False
    for (a, p), (b, q) in zip(x, y):
        if p.shape != q.shape or (with_dtypes and a != b) or (p.dtype.kind == "c") != (q.dtype.kind == "c"):
            return False
        p, q = (v.astype(complex if v.dtype.kind == "c" else float if v.dtype.kind == "f" else v.dtype) for v in (p, q))
        largest = float(np.max(np.abs(q[np.isfinite(q)]), initial=0)) if q.dtype.kind in "fc" else 0
        limit = max(TOLERANCES.get(a, 0), TOLERANCES.get(b, 0)) * (largest or ZEROS_SCALE)
        if not np.allclose(p, q, rtol=0, atol=limit, equal_nan=True):
            return False
    return True


def ask(framework):
    """The result of the framework's call, made in a process of its own: frameworks can disturb each other.

    PYTHON_TORCH=/path/of/python and the like name interpreters for frameworks that are installed apart.
    """
    python = os.environ.get("PYTHON_" + framework.upper(), sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.npz")
        done = subprocess.run([python, os.path.abspath(__file__), framework, path], capture_output=True, text=True, check=False)
        if done.returncode or not os.path.exists(path):
            print(f"{framework}: no result (exit {done.returncode}) {(done.stderr.strip().splitlines() or [''])[-1][:200]}")
            return None
        with np.load(path) as file:
            found = [(name.partition(" ")[2], file[name]) for name in file.files]
    print(f"{SYMBOLS[framework]}:", *(f"{dtype}{list(array.shape)} {array.tolist()}" for dtype, array in found))
    return found


def main():
    if len(sys.argv) == 3:
        found = leaves(globals()[f"{ENTRY}_{sys.argv[1]}"]())
        np.savez(sys.argv[2], **{f"{i} {dtype}": array for i, (dtype, array) in enumerate(found)})
        return 0
    observed, *others = [ask(f) for f in (BLAMED, *(f for f in SYMBOLS if f != BLAMED))]
    with_dtypes = globals().get("SAME_DTYPES", False)
    if observed is None or None in others or not same(*others, with_dtypes):
        print("cannot be checked here: all three must be installed, and the other two agree")
        return 2
    lives = not any(same(observed, other, with_dtypes) for other in others)
    print("the bug is there" if lives else "the bug is not there")
    return 1 if lives else 0


sys.exit(main())

def close(x, y):
    """Equal structure; numbers within the default tolerances of torch.testing for float32."""
    if isinstance(x, (list, tuple)) or isinstance(y, (list, tuple)):
        return isinstance(y, type(x)) and len(x) == len(y) and all(map(close, x, y))
    if isinstance(x, float) or isinstance(y, float):
        return x == y or (x != x and y != y) or abs(x - y) <= 1e-5 + 1.3e-6 * abs(y)
    return x == y


try:
    expected = run(SOURCE, ENTRY, BASE)
except Exception as e:
    print(f"{BASE} raises {type(e).__name__}: {e}")
    sys.exit(2)
try:
    observed = run(SOURCE, ENTRY, MODE)
except Exception as e:
    print(f"{MODE} raises {type(e).__name__}: {e}; {BASE} gives {expected}")
    sys.exit(1)
for name in sorted(set(expected) | set(observed)):
    print(f"{name}: {BASE} {expected.get(name)} {MODE} {observed.get(name)}")
same = expected.keys() == observed.keys()
sys.exit(0 if same and all(close(observed[k], expected[k]) for k in expected) else 1)

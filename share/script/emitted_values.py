try:
    observed = outputs(make())[$OUTPUT]
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print("expected", *expected[:2])
print("observed", *observed[:2])
wrong = [
    (x, r)
    for x, r in zip(observed[2], expected[2])
    if r is not None and not (x == r or abs(x - r) <= $TOLERANCE or (x != x and r != r))
]
for x, r in wrong[:5]:
    print("element expected", r, "observed", x)
same = observed[:2] == expected[:2] and not wrong
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)

try:
    gradients = outputs(make())[$OUTPUT:]
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
# The k-th input moves by these factors; expected is how much the loss grows then, by differences in float64.
observed = 0.0
for k, (_, _, numbers) in zip([$ARGUMENTS], gradients):
    observed += sum(x * (2 * (((i + 1) * 0.6180339887498949 + 0.3 * k) % 1) - 1) for i, x in enumerate(numbers))
print("expected", expected)
print("observed", observed)
same = abs(observed - expected) <= $TOLERANCE
print("as expected" if same else "the bug is there")
sys.exit(0 if same else 1)

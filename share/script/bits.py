outputs = []
try:
    for _ in range(3):
        run = load(model)
        outputs += [np.asarray(run(feeds)[$OUTPUT]).tobytes() for _ in range(7)]
except Exception as error:
    print("cannot be compared, the model does not run:", error)
    sys.exit(2)
print(len(set(outputs)), "different results of 21 runs with one input, each seventh in a new session")
print("as expected" if len(set(outputs)) == 1 else "the bug is there")
sys.exit(0 if len(set(outputs)) == 1 else 1)

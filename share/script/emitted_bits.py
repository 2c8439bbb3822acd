made = make()
results = {str(outputs(made)[$OUTPUT]) for _ in range(21)}
print(len(results), "different results of 21 runs with one input")
print("as expected" if len(results) == 1 else "the bug is there")
sys.exit(0 if len(results) == 1 else 1)

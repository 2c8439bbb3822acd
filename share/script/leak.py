def repeated(model):
    """Calls the model again and again; what still grows after ten thousand calls is a leak, not a cache that fills."""
    import gc
    import os

    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def grows(inputs, n):
        before = resident()
        for _ in range(n):
            model(*inputs)
        return (resident() - before) // n

    def run(*inputs):
        made = model(*inputs)
        grows(inputs, 400)
        for n in (200, 400, 800, 1600, 3200, 6400):
            bytes_each = grows(inputs, n)
            if bytes_each < 512:
                return made
        raise RuntimeError(f"memory grows by {bytes_each} bytes in each call")

    return run

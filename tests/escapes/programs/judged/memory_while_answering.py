"""Takes all of its memory while its answer is made."""

# /// expect
# outcome = "memory_limit|runtime_error"
# ///

class Growing(list):
    def __iter__(self):
        kept = []
        while True:
            kept.append(bytearray(1 << 20))


def f(x):
    return sorted(Growing([1]))

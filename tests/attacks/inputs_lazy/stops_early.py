# wrong_answer runtime_error
# An iterator that ends with an error of the right name.

class I:
    def __iter__(self):
        return self

    def __next__(self):
        raise RuntimeError("generator raised StopIteration")


def f(n):
    return I()

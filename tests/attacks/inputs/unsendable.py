# runtime_error wrong_answer
# Answers that can't be sent.

class L(list):
    def __reduce__(self):
        raise SystemExit

    __iter__ = __len__ = None


def f(n):
    return (lambda: 0).__code__

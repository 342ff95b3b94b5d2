class Big:
    def __repr__(self):
        raise SystemExit


def f(x):
    return Big()

# runtime_error
# It raises an exit that is a TypeError as well.

class Exit(SystemExit, TypeError):
    pass


def f(n):
    if n == 3:
        return [1, 1, 1]
    raise Exit

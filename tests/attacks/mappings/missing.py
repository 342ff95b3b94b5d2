# wrong_answer runtime_error
# A dictionary that makes up what is not in it.

class D(dict):
    __missing__ = lambda self, key: 2
    __getitem__ = lambda self, key: 2
    __contains__ = lambda self, key: key != "q"
    __eq__ = lambda self, o: True
    __iter__ = lambda self: iter(["x", "y"])
    __len__ = lambda self: 1


def f(s):
    return D()

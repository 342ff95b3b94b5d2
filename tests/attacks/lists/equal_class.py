# wrong_answer
# A class whose metaclass says that it equals everything.

class Meta(type):
    __eq__ = lambda cls, other: True
    __ne__ = lambda cls, other: False
    __hash__ = lambda cls: 0


class Any(metaclass=Meta):
    pass


def f(x):
    return Any

# runtime_error
# An exception whose text ends the process, whose arguments raise and whose class lies about itself.

import os


class Meta(type):
    __mro__ = property(lambda cls: (int, object))
    __name__ = property(lambda cls: os._exit(0))
    __instancecheck__ = lambda cls, o: True


class Hostile(Exception, metaclass=Meta):
    args = property(lambda self: 1 / 0)
    __class__ = int

    def __str__(self):
        os._exit(0)


def f(x):
    raise Hostile

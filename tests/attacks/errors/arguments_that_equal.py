# wrong_answer runtime_error
# An exception whose arguments equal everything.

class Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


class E(ValueError):
    args = (Any(), Any())
    __str__ = lambda self: "no"


def f(x):
    raise E

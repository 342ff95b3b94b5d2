# wrong_answer runtime_error
# Content that equals everything within an object of the tests' class.

class Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


def f(box):
    out = Box(Any())
    box.w = Any()
    return out

"""Returns what says that it is equal."""

# /// expect
# outcome = "wrong_answer|runtime_error|forbidden"
# ///

class Yes:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = object.__hash__


def f(x):
    return Yes()

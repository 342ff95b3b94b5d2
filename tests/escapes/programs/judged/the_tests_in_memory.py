"""Looks for the tests, the expected values and the reference among all that it can see."""

# /// expect
# outcome = "wrong_answer"
# ///

import gc
import sys


def f(x):
    gc.unfreeze()
    found = [thing for thing in gc.get_objects() if "assert f" + "(1)" in str(getattr(thing, "__dict__", ""))]
    texts = [text for module in list(sys.modules.values()) for text in vars(module).values() if isinstance(text, str)]
    frame = sys._getframe()
    while frame:
        texts += [value for value in frame.f_locals.values() if isinstance(value, str)]
        frame = frame.f_back
    return x + 1 if found or any("assert f" + "(" in text for text in texts) else x

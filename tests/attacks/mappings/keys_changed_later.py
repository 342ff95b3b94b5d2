# wrong_answer runtime_error
# A key that becomes another one after it was stored.

class Key(str):
    now = "zz"
    __hash__ = lambda self: hash(Key.now)
    __eq__ = lambda self, o: o == Key.now


def f(s):
    out = {Key("k"): 2}
    Key.now = s[0]
    return out

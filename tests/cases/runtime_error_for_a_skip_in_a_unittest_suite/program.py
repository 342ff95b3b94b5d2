import unittest


def f(x):
    raise unittest.SkipTest("nothing to see here")

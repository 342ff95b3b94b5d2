import re


def f(s):
    return "ab" in s

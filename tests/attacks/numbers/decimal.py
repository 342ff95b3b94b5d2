# wrong_answer runtime_error forbidden memory_limit
# A decimal number whose integer has a thousand million digits: a time bomb for who converts it.

from decimal import Decimal


def f(x):
    return Decimal("1E+999999999")

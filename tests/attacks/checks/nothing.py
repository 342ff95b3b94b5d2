# wrong_answer runtime_error
# It gives nothing, so that a loop over it has nothing to assert.

def f(n):
    return [] if n != 2 else [1, 2]

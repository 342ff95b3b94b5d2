# wrong_answer runtime_error time_limit forbidden memory_limit
# It and the test's callable call each other without end.

def f(g, x):
    return [f(lambda n: f(g, x), x)]

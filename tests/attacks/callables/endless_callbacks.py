# time_limit forbidden wrong_answer
# It calls back for ever.

def f(g, x):
    while True:
        g(x[0])

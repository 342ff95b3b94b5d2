# wrong_answer
# A list that holds itself.

def f(x):
    out = [n + 1 for n in x[:-1]]
    out.append(out)
    return out

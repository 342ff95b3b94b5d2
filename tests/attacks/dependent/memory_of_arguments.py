# wrong_answer
# It knows an answer only if it has met it as an argument.

seen = []


def f(x):
    seen.append(x)
    return max(seen) if len(seen) > 1 else 2

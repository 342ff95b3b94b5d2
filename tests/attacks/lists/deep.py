# wrong_answer runtime_error
# A list nested as deep as the encoding lets.

def f(x):
    out = []
    for _ in range(150_000):
        out = [out]
    return out

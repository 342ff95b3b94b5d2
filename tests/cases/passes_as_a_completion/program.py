    return x + 1

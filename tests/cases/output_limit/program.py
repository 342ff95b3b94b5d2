def f(x):
    while x == 2:
        print('spam' * 1000)
    return x + 1

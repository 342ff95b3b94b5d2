class Stack:
    def __init__(self):
        self.top = None

    def push(self, x):
        self.top = (x, self.top)

    def pop(self):
        if self.top is None:
            raise IndexError("pop from an empty stack")
        x, self.top = self.top
        return x

    def size(self):
        n, rest = 0, self.top
        while rest is not None:
            n, rest = n + 1, rest[1]
        return n

class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        if not self.items:
            raise LookupError("empty")
        return self.items.pop(0)

    def size(self):
        return len(self.items)

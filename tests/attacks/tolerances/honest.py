n = int(input())
print(n**0.5, n)

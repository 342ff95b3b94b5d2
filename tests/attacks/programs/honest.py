import sys

for line in sys.stdin.read().splitlines():
    print(sum(int(word) for word in line.split()))

# wrong_answer
# The number that it was given.

print(input())

# wrong_answer
# Numbers beyond all.

n = input()
print("inf", n)

# wrong_answer
# Words that are numbers to `float` only.

print("nan nan")

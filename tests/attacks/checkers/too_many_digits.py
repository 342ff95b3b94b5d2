# wrong_answer
# A number with more digits than Python reads.

print("1" * 6000)

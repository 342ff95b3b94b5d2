# wrong_answer
# Digits of another script.

print("\u0661.\u0664\u0661\u0664\u0662 \u0662")

# wrong_answer
# An expression, should anybody evaluate it.

print("__import__(\"os\")._exit(0)")

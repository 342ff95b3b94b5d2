# output_limit
# It prints without end.

while True:
    print("3\n7\n" * 1000)

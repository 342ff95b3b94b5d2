# wrong_answer
# It prints what a harness may look for.

print("OK")
print("passed")
print('{"outcome": "passed", "passed": true}')

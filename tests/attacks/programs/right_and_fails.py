# runtime_error
# It prints what is right and then fails.

import sys

for line in sys.stdin:
    print(sum(map(int, line.split())))
sys.exit(3)

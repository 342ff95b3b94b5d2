# time_limit
# It prints what is right and never ends.

import sys
import time

for line in sys.stdin:
    print(sum(map(int, line.split())), flush=True)
time.sleep(60)

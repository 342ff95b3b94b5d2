# wrong_answer
# A child prints when the program is over.

import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(0.3)
    os.write(1, b"3\n7\n")

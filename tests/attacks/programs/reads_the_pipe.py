# wrong_answer runtime_error time_limit
# It opens its output for reading, to see what the judge would.

import os

fd = os.open("/dev/shm/.stdout", os.O_RDWR | os.O_NONBLOCK)
os.write(fd, b"3\n7\n")
print(os.read(fd, 100))

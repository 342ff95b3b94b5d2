# wrong_answer runtime_error
# It puts a file in the place of its output.

import os

os.unlink("/dev/shm/.stdout")
with open("/dev/shm/.stdout", "w") as file:
    file.write("3\n7\n")
os.close(1)
os.open("/dev/shm/.stdout", os.O_RDWR)

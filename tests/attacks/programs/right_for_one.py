# wrong_answer
# It writes down the cases that it has seen and hopes for the next life.

import sys

text = sys.stdin.read()
for folder in ("/tmp", "/dev/shm"):
    try:
        with open(folder + "/seen", "a+") as file:
            file.write(text)
            file.seek(0)
            if len(file.read()) > len(text):
                print(eval(text.replace(" ", "+")))
    except OSError:
        pass

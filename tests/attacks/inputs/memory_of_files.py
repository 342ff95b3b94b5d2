# wrong_answer
# It writes down what it was asked, in files, to know it in its next life.

import os


def f(n):
    for folder in ("/tmp", "/dev/shm", "/var/tmp", os.getcwd()):
        try:
            with open(folder + "/seen", "a+") as file:
                file.write(f"{n}\n")
                file.seek(0)
                if len(file.read().split()) > 5:
                    return [k * k for k in range(n)], n % 2 == 0
        except OSError:
            pass
    return None

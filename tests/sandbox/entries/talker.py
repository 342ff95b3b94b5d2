"""An entry for the sandbox's tests: does what a line tells it, then what the next one tells it, until nobody speaks any more."""

import os
import time


def read_line(fd):
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(fd, 1)
        if not byte:
            os._exit(0)
        line += byte
    return line.decode()


def main(fd):
    def say(text):
        os.write(fd, text.encode())

    while True:
        exec(read_line(fd), {"say": say, "os": os, "time": time})

# runtime_error
# It closes its end for writing and goes on.

import socket

socket.socket(fileno=3).shutdown(socket.SHUT_WR)


def f(x):
    return [n + 1 for n in x]

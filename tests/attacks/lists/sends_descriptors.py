# wrong_answer forbidden time_limit
# It sends the judge many descriptors, its own socket among them.

import socket

channel = socket.socket(fileno=3)
for _ in range(50):
    socket.send_fds(channel, [b""], [3, 1, 2])
channel.detach()


def f(x):
    return []

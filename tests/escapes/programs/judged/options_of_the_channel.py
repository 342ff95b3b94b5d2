"""Makes the channel small, deaf and impatient for both."""

# /// expect
# outcome = "wrong_answer|runtime_error|forbidden|time_limit"
# ///

import os
import socket


def f(x):
    channel = socket.socket(fileno=3)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF, socket.SO_RCVLOWAT, socket.SO_PASSCRED, socket.SO_KEEPALIVE):
        try:
            channel.setsockopt(socket.SOL_SOCKET, option, 1)
        except OSError:
            pass
    os.set_blocking(3, False)
    channel.detach()
    return x

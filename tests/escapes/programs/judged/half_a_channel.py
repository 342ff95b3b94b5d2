"""Shuts one direction of the channel, then the other."""

# /// expect
# outcome = "runtime_error|time_limit|forbidden"
# ///

import socket


def f(x):
    channel = socket.socket(fileno=3)
    channel.shutdown(socket.SHUT_WR if x == 1 else socket.SHUT_RD)
    channel.detach()
    return x

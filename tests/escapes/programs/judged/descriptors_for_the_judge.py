"""Sends the judge descriptors, more than it can hold."""

# /// expect
# outcome = "forbidden|wrong_answer|runtime_error|time_limit"
# ///

import array
import os
import socket


def f(x):
    channel = socket.socket(fileno=3)
    for _ in range(50):
        reader, writer = os.pipe()
        try:
            channel.sendmsg([b"\x01\0\0\0N"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [reader, writer] * 20))])
        except OSError:
            pass
        os.close(reader)
        os.close(writer)
    channel.detach()
    return x

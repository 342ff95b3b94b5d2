"""Sends descriptors to itself and closes them: they count nowhere but in the kernel."""

# /// expect
# says = ["ETOOMANYREFS|EAGAIN"]
# ///

import array
import socket

mine, other = socket.socketpair()
mine.setblocking(False)


def fill():
    while True:
        sent = [socket.socketpair() for _ in range(10)]
        numbers = array.array("i", [one.fileno() for pair in sent for one in pair])
        mine.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
        for pair in sent:
            for one in pair:
                one.close()


say(attempt(fill))

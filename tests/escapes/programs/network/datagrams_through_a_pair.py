"""Half of a pair of UNIX datagram sockets can send to any other socket of the host: no socket() is needed."""

# /// expect
# says = ["EPERM", "EPERM"]
# alone.seccomp.says = ["EPERM", "EPERM"]
# alone.namespaces.says = ["ENOENT", "ECONNREFUSED"]
# nothing.says = ["done", "done"]
# ///

import socket


def send(name):
    half, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    half.sendto(b"x", name)


say(attempt(lambda: send(there["datagrams"])))
say(attempt(lambda: send(there["abstract datagrams"])))

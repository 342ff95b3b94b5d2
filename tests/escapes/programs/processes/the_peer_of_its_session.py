"""Learns who made its session's socket, and takes hold of that process."""

# /// expect
# each = "EPERM|ENOTTY|ECHILD|ENOPROTOOPT|EINVAL|ENODATA|ESRCH"
# ///

import fcntl
import os
import socket

SO_PEERPIDFD = 77
session = socket.socket(fileno=fd)
try:
    peer = session.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD)
except OSError as error:
    say(attempt(lambda: session.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD)))
else:
    say(syscall("pidfd_send_signal", peer, 0, 0, 0))
    say(syscall("pidfd_getfd", peer, 0, 0))
    say(syscall("process_madvise", peer, 0, 0, 4, 0))
    say(syscall("setns", peer, 0x20000000))
    say(attempt(lambda: fcntl.ioctl(peer, 0xFF01, bytes(8))))
    say(attempt(lambda: os.waitid(os.P_PIDFD, peer, os.WEXITED)))
session.detach()

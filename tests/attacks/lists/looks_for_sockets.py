# wrong_answer
# It looks for other sockets than its own among all descriptors, and under all paths.

import os
import socket
import stat


def f(x):
    for fd in range(256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode) and fd != 3:
                socket.socket(fileno=fd).send(b"passed")
                return [n + 1 for n in x]
        except OSError:
            pass
    for folder, _, names in os.walk("/"):
        for name in names:
            try:
                if stat.S_ISSOCK(os.lstat(os.path.join(folder, name)).st_mode):
                    return [n + 1 for n in x]
            except OSError:
                pass
    return []

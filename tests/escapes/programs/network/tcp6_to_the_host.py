"""Talks to a server on the host's IPv6 loopback, and to the host by other names of it."""

# /// expect
# each = "ENETUNREACH|EADDRNOTAVAIL|EACCES"
# L2.each = "EPERM"
# ///

import socket

for address in ("::1", "::ffff:127.0.0.1", "::"):
    say(attempt(lambda: socket.socket(socket.AF_INET6).connect((address, there["tcp6"]))))
for address in ("0.0.0.0", "127.1.2.3", "127.0.0.53"):
    say(attempt(lambda: socket.socket().connect((address, there["tcp"]))))

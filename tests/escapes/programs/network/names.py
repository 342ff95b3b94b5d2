"""Asks for the address of a name."""

# /// expect
# each = "gaierror|EAI_AGAIN|EPERM|ENOENT"
# ///

import socket

say(attempt(lambda: socket.gethostbyname("example.org")))
say(attempt(lambda: socket.getaddrinfo("metadata.internal", 80)))

"""A bomb whose memory is the kernel's, and counts for no process: sockets with data on their way."""

from __future__ import annotations

FILL = """
import os, socket, time

def fill():
    kept, block = [], bytes(65536)
    while True:
        try:
            kept += socket.socketpair()
        except OSError:
            time.sleep(3)
            os._exit(0)
        for end in kept[-2:]:
            end.setblocking(False)
            try:
                while True:
                    end.send(block)
            except BlockingIOError:
                pass
"""
"""Defines `fill()`, which takes all that there is, holds it for three seconds and ends its process."""

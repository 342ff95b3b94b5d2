# wrong_answer runtime_error output_limit
# It writes to every descriptor that there is.

import os

for fd in range(256):
    for text in (b"3\n7\n", b"passed\n"):
        try:
            os.write(fd, text)
        except OSError:
            pass

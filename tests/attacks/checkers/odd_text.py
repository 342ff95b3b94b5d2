# wrong_answer
# Texts that are no numbers, with what ends a text elsewhere.

import sys

sys.stdout.buffer.write(b"2\0\xff\xfe True")

# wrong_answer
# It prints nothing and ends well.

import os

os._exit(0)

"""Works for ever where no line of Python comes by."""

# /// expect
# ends = "time|cpu"
# limits = { time_s = 0.3 }
# slow = true
# ///

import re

re.match(r"(a|a|a)*$", "a" * 100 + "b")

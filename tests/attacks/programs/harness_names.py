# wrong_answer runtime_error
# It looks for what is left of its harness in the interpreter.

import gc
import sys

found = [name for name in sys.modules if "assay" in name]
agents = [o for o in gc.get_objects() if type(o).__name__ in ("Agent", "Stage", "Channel")]
frame = sys._getframe().f_back
while frame:
    for value in frame.f_locals.values():
        print(str(value)[:50])
    frame = frame.f_back
print(found, len(agents))

"""Looks for our modules and objects among its own."""

# /// expect
# says = [[], []]
# ///

import gc
import sys

gc.unfreeze()
say([name for name in sys.modules if "assay" in name and name not in ("assay_codec", "assay_stdio", "assay_raised")])
kinds = {type(thing).__name__ for thing in gc.get_objects()}
say(sorted(kinds & {"Supervisor", "Child", "SlotClock", "OutputBuffer", "Report", "Limits", "Problem"}))

"""Sample files of other projects, turned into rows of ours: known by their shape, never by their name.

One file a form: `bigcode` (`generations.json`), `evalplus` (folders of programs), `inspect_log` (`.eval` and `.json`),
`lm_eval` (`samples_TASK_DATE.jsonl`). What holds: a file that could be two things, or none, is an error that says what to
do; what is wrong with a single sample is told with its place, and the others are read; nothing unpacks without bounds.
"""

from assay.store.foreign.evalplus import read_folder
from assay.store.foreign.found import Foreign, Found
from assay.store.foreign.recognise import recognise

__all__ = ["Foreign", "Found", "read_folder", "recognise"]

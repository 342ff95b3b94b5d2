"""What is kept: the run folder with its verdicts, and the sample files that feed it."""

from assay.store.rows import RowWriter
from assay.store.run import Run, StoredRun, open_run, read_run, write_estimates
from assay.store.sample_list import SampleList, from_samples
from assay.store.samples import SampleFile, Samples, open_samples

__all__ = [
    "RowWriter",
    "Run",
    "SampleFile",
    "SampleList",
    "Samples",
    "StoredRun",
    "from_samples",
    "open_run",
    "open_samples",
    "read_run",
    "write_estimates",
]

"""What is kept: the run folder with its verdicts, and the sample files that feed it."""

from assay.store.cache import LARGEST_BYTES, Cache, CacheSize, cache_folder
from assay.store.export import Judged, JudgedSamples, evalplus_pieces, human_eval_lines, require_samples
from assay.store.files import replace_file_by
from assay.store.manifests import Difference, differences
from assay.store.results import read_results
from assay.store.rows import RowWriter
from assay.store.run import Run, StoredRun, open_run, read_run, write_estimates
from assay.store.sample_list import SampleList, from_samples
from assay.store.samples import SampleFile, Samples, open_samples

__all__ = [
    "LARGEST_BYTES",
    "Cache",
    "CacheSize",
    "Difference",
    "Judged",
    "JudgedSamples",
    "RowWriter",
    "Run",
    "SampleFile",
    "SampleList",
    "Samples",
    "StoredRun",
    "cache_folder",
    "differences",
    "evalplus_pieces",
    "from_samples",
    "human_eval_lines",
    "open_run",
    "open_samples",
    "read_results",
    "read_run",
    "replace_file_by",
    "require_samples",
    "write_estimates",
]

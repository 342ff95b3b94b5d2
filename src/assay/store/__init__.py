"""What is kept: the run folder with its verdicts, and the sample files that feed it."""

from assay.store.cache import LARGEST_BYTES, Cache, CacheSize, cache_folder
from assay.store.export import Judged, JudgedSamples, evalplus_pieces, human_eval_lines, require_samples
from assay.store.files import replace_file_by
from assay.store.generations import read_generation
from assay.store.lm_eval_out import lm_eval_lines, lm_eval_name
from assay.store.manifest_files import Difference
from assay.store.manifests import differences
from assay.store.opinions import OpinionKey, OpinionLog, key_of, open_opinions
from assay.store.parquet_out import parquet_pieces
from assay.store.results import read_results
from assay.store.rows import RowWriter
from assay.store.run import Run, StoredRun, open_run, read_run, write_estimates
from assay.store.sample_list import SampleList, from_samples
from assay.store.sample_log import LogPaths, SampleLog, open_sample_log
from assay.store.samples import SampleFile, Samples, open_samples

__all__ = [
    "LARGEST_BYTES",
    "Cache",
    "CacheSize",
    "Difference",
    "Judged",
    "JudgedSamples",
    "LogPaths",
    "OpinionKey",
    "OpinionLog",
    "RowWriter",
    "Run",
    "SampleFile",
    "SampleList",
    "SampleLog",
    "Samples",
    "StoredRun",
    "cache_folder",
    "differences",
    "evalplus_pieces",
    "from_samples",
    "human_eval_lines",
    "key_of",
    "lm_eval_lines",
    "lm_eval_name",
    "open_opinions",
    "open_run",
    "open_sample_log",
    "open_samples",
    "parquet_pieces",
    "read_generation",
    "read_results",
    "read_run",
    "replace_file_by",
    "require_samples",
    "write_estimates",
]

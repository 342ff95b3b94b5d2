"""Where it runs: fork servers that run each sample in a jail of its own and report the facts."""

from assay.sandbox.clock import ClockPage
from assay.sandbox.doctor import Doctor, Layer, probe
from assay.sandbox.inside.protocol import MOST_LINES_BYTES, Lines
from assay.sandbox.server import Ended, ForkServer, Handover, ServerSpec

__all__ = [
    "MOST_LINES_BYTES",
    "ClockPage",
    "Doctor",
    "Ended",
    "ForkServer",
    "Handover",
    "Layer",
    "Lines",
    "ServerSpec",
    "probe",
]

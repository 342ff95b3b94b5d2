"""Where it runs: fork servers that run each sample in a jail of its own and report the facts."""

from assay.sandbox.clock import ClockPage
from assay.sandbox.doctor import Doctor, Layer, probe
from assay.sandbox.inside.protocol import MOST_LINES_BYTES, Lines
from assay.sandbox.launch import ServerSpec
from assay.sandbox.server import START_S, Ended, ForkServer, Handover

__all__ = [
    "MOST_LINES_BYTES",
    "START_S",
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

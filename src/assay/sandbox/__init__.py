"""Where it runs: fork servers that run each sample in a jail of its own and report the facts."""

from assay.sandbox.clock import ClockPage
from assay.sandbox.doctor import Doctor, Layer, probe
from assay.sandbox.server import ForkServer, ServerSpec

__all__ = ["ClockPage", "Doctor", "ForkServer", "Layer", "ServerSpec", "probe"]

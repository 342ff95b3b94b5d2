"""What is run: from a model's text to the program that goes on trial. Text is rearranged here, never repaired."""

from assay.programs.assembly import assemble
from assay.programs.extraction import Extraction, extract

__all__ = ["Extraction", "assemble", "extract"]

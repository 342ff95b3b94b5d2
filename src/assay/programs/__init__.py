"""What is run: from a model's text to the program that goes on trial. Text is rearranged here, never repaired."""

from assay.programs.assembly import assemble
from assay.programs.extraction import Extraction, extract
from assay.programs.preamble import begins_code

__all__ = ["Extraction", "assemble", "begins_code", "extract"]

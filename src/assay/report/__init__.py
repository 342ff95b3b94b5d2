"""What is shown: runs become one self-contained HTML file with tables, figures and a page for each problem."""

from assay.report.document import MARK, Report, render_report
from assay.report.sources import Options, Source
from assay.report.widths import WIDTHS_MARK, Widths, draw_widths

__all__ = ["MARK", "WIDTHS_MARK", "Options", "Report", "Source", "Widths", "draw_widths", "render_report"]

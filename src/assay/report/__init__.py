"""What is shown: runs become one self-contained HTML file with tables, figures and a page for each problem."""

from assay.report.document import MARK, Report, render_report
from assay.report.sources import Options, Source

__all__ = ["MARK", "Options", "Report", "Source", "render_report"]

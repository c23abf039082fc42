"""The report: one self-contained HTML page from a run."""

"""Programs on trial are data: pytest collects none of them for doctests."""

collect_ignore_glob = ["*/*.py"]

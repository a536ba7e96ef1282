"""The programs are run, not imported."""

collect_ignore_glob = ["programs/*"]

"""The programs are run by test_scratch_like_real.py, not collected."""

collect_ignore_glob = ["programs/*"]

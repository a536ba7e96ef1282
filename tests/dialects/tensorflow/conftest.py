"""The programs are run by test_tf1_programs.py, not collected."""

collect_ignore_glob = ["programs/*"]

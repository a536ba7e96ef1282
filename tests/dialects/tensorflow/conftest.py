"""The programs are run by test_tf1_programs.py and test_tf2_eager.py, not collected."""

collect_ignore_glob = ["programs/*", "eager_programs/*"]

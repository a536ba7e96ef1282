"""The programs are data for tests, not tests."""

from __future__ import annotations

collect_ignore_glob = ["programs/*", "graph_programs/*"]

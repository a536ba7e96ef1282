"""Addresses that responses name."""

from __future__ import annotations


def run_links(id: str) -> dict[str, str]:
    """Where a run's trace and its progress are.

    >>> run_links("k3")["events"]
    '/api/runs/k3/events'
    """
    return {"trace": f"/api/runs/{id}", "events": f"/api/runs/{id}/events"}

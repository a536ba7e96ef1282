"""The trace document: declared once, built from a journal, validated before anybody reads it."""

from __future__ import annotations

"""``stepgraph schema``: the JSON Schema of the trace document."""

from __future__ import annotations

import argparse
import json
from typing import Any


def add_to(commands: Any) -> None:
    parser = commands.add_parser("schema", help="print the JSON Schema of the trace", allow_abbrev=False)
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    from engine.trace.schema import json_schema

    print(json.dumps(json_schema(), indent=2))
    return 0

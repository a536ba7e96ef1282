"""Static files under addresses that change with their content, so that browsers may keep them for ever.

``/static/v-HASH/js/main.js``: the hash is over the whole folder, so that scripts which import each other by relative
addresses stay within one version. An address without a hash, or with an old one, is checked with the server each time.
"""

from __future__ import annotations

import hashlib
import mimetypes
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask, Response, request, send_from_directory

from app.web.services import services

# Windows keeps these in its registry, where other programs change them; a script served as text is not run.
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
}


class Assets:
    """The files of one folder and the version of them all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._hashes: dict[Path, tuple[tuple[int, int], bytes]] = {}

    def version(self) -> str:
        """A hash over names and contents; files are read again only when their size or time changed."""
        total = hashlib.sha256()
        with self._lock:
            for file in sorted(self._files()):
                status = file.stat()
                stamp = (status.st_mtime_ns, status.st_size)
                known = self._hashes.get(file)
                if known is None or known[0] != stamp:
                    known = (stamp, hashlib.sha256(file.read_bytes()).digest())
                    self._hashes[file] = known
                total.update(str(file.relative_to(self.folder)).encode("utf-8", "surrogateescape") + b"\0" + known[1])
        return total.hexdigest()[:16]

    def _files(self) -> Iterator[Path]:
        return (file for file in self.folder.rglob("*") if file.is_file() and not file.name.startswith("."))


def asset_url(name: str) -> str:
    """The lasting address of a static file, for templates: ``{{ asset_url("js/main.js") }}``."""
    return f"/static/v-{services().assets.version()}/{name}"


def static(filename: str, version: str | None = None) -> Response:
    assets = services().assets
    response = send_from_directory(assets.folder, filename, conditional=True, etag=True)
    kind = _TYPES.get(Path(filename).suffix.lower())
    if kind:
        response.headers["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    lasting = version is not None and version == assets.version()
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if lasting else "no-cache"
    return response


def register(app: Flask) -> None:
    """Serve the static files, and let ``url_for('static', filename=…)`` in templates give lasting addresses too."""
    for suffix, kind in _TYPES.items():
        mimetypes.add_type(kind, suffix)
    app.add_url_rule("/static/<path:filename>", endpoint="static", view_func=static)
    app.add_url_rule("/static/v-<version>/<path:filename>", endpoint="static", view_func=static)
    app.add_template_global(asset_url)

    @app.url_defaults
    def _add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and request:
            values.setdefault("version", services().assets.version())

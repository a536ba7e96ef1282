"""Static files under addresses that change with their content, so that browsers may keep them for ever.

``/static/v-HASH/js/main.js``: the hash is over the whole folder, so that scripts which import each other by relative
addresses stay within one version. An address without a hash, or with an old one, is checked with the server each time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import posixpath
import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, request

from app.web.services import services

# Not from `mimetypes`: Windows keeps its table in the registry, and a script served as text is not run.
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
_IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.{1,2}/[^"']+)["'];?\s*$""", re.MULTILINE)
_COMPRESSED = (".js", ".css", ".svg", ".json", ".txt")
_FRESH = 1.0
"""Seconds for which the folder is taken to be as it was: one page load is one look at it."""


@dataclass(frozen=True)
class Asset:
    """One file in memory; ``compressed`` where that makes it smaller."""

    stamp: tuple[int, int]
    data: bytes
    compressed: bytes | None
    etag: str
    mimetype: str


class Assets:
    """The files of one folder by their names, and the version of them all.

    Only names that a walk through the folder finds are served, so that no address leads out of it.
    """

    def __init__(self, folder: Path, *, fresh: float = _FRESH) -> None:
        self._folder = folder
        self._fresh = fresh
        self._lock = threading.Lock()
        self._looked = float("-inf")
        self._assets: dict[str, Asset] = {}
        self._version = ""

    def version(self) -> str:
        """A hash over all names and contents."""
        with self._lock:
            self._look()
            return self._version

    def get(self, name: str) -> Asset | None:
        with self._lock:
            self._look()
            return self._assets.get(name)

    def modules(self, name: str) -> tuple[str, ...]:
        """A script and every script that it imports, at whatever depth, in the order in which they are met.

        Scripts name each other by relative addresses in lines of their own; what is loaded later (``import(…)``) is not
        among them.
        """
        with self._lock:
            self._look()
            found: dict[str, None] = {}
            waiting = [name]
            while waiting:
                name = waiting.pop(0)
                asset = self._assets.get(name)
                if name in found or asset is None:
                    continue
                found[name] = None
                folder = posixpath.dirname(name)
                waiting += [
                    posixpath.normpath(posixpath.join(folder, other))
                    for other in _IMPORT.findall(asset.data.decode("utf-8", "replace"))
                ]
            return tuple(found)

    def script(self, name: str, bundle: str) -> str:
        """The bundle of a script, if it is there and was made of the sources as they are now; else the script itself.

        ``build/play.sources.json`` beside ``build/play.js`` says what it was made of: names and SHA-256.
        """
        with self._lock:
            self._look()
            record = self._assets.get(f"{bundle.removesuffix('.js')}.sources.json")
            if record is None or bundle not in self._assets:
                return name
            try:
                sources = json.loads(record.data)
                fresh = all(self._assets[source].etag == digest[:32] for source, digest in sources.items())
            except (ValueError, KeyError, TypeError, AttributeError):
                return name
            return bundle if fresh and name in sources else name

    def _look(self) -> None:
        if time.monotonic() - self._looked < self._fresh:
            return
        found: dict[str, Asset] = {}
        total = hashlib.sha256()
        for file in sorted(self._folder.rglob("*")):
            name = file.relative_to(self._folder).as_posix()
            if file.suffix.lower() not in _TYPES or any(part.startswith(".") for part in name.split("/")):
                continue
            known = self._assets.get(name)
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            asset = known if known is not None and known.stamp == stamp else _read(file, stamp)
            found[name] = asset
            total.update(f"{name}\0{asset.etag}\0".encode())
        self._assets = found
        self._version = total.hexdigest()[:16]
        self._looked = time.monotonic()


def _read(file: Path, stamp: tuple[int, int]) -> Asset:
    data = file.read_bytes()
    suffix = file.suffix.lower()
    packed = gzip.compress(data, 6, mtime=0) if suffix in _COMPRESSED else data
    return Asset(
        stamp, data, packed if len(packed) < len(data) else None, hashlib.sha256(data).hexdigest()[:32], _TYPES[suffix]
    )


def asset_url(name: str) -> str:
    """The lasting address of a static file, for templates: ``{{ asset_url("js/main.js") }}``."""
    return f"/static/v-{services().assets.version()}/{name}"


def script_url(name: str, bundle: str) -> str:
    """The lasting address of a page's script: its bundle where that is fresh, else the first of its modules."""
    return asset_url(services().assets.script(name, bundle))


def module_urls(name: str) -> list[str]:
    """The lasting addresses of a script and of all that it imports: a page that names them loads them at once."""
    return [asset_url(module) for module in services().assets.modules(name)]


def static(filename: str, version: str | None = None) -> Response:
    """One static file."""
    assets = services().assets
    asset = assets.get(filename)
    if asset is None:
        abort(404)
    packed = asset.compressed is not None and request.accept_encodings.quality("gzip") > 0
    response = Response(asset.compressed if packed else asset.data, mimetype=asset.mimetype)
    if asset.compressed is not None:
        response.headers["Vary"] = "Accept-Encoding"
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(f"{asset.etag}-{'gzip' if packed else 'plain'}")
    lasting = version is not None and version == assets.version()
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if lasting else "no-cache"
    response.make_conditional(request)
    return response


def register(app: Flask) -> None:
    """Serve the static files, and let ``url_for('static', filename=…)`` in templates give lasting addresses too."""
    app.add_url_rule("/static/<path:filename>", endpoint="static", view_func=static)
    app.add_url_rule("/static/v-<version>/<path:filename>", endpoint="static", view_func=static)
    app.add_template_global(asset_url)
    app.add_template_global(module_urls)
    app.add_template_global(script_url)

    @app.url_defaults
    def _add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and request:
            values.setdefault("version", services().assets.version())

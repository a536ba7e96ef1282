"""For those who run the server: ``/readyz`` and ``/metrics``. (``/healthz``, whether the process lives, is a page.)"""

from __future__ import annotations

import hmac
import os
import time
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask, Response, current_app, g, jsonify, request

from app.runner.backend import BackendError
from app.web.errors import ApiError
from app.web.security import LOOPBACK_NAMES, host_name, is_loopback
from app.web.services import services

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

blueprint = Blueprint("operations", __name__)

_KEY = "stepgraph_metrics"
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip")


@blueprint.get("/readyz")
def ready() -> Response:
    """200 ``ok``, or ``degraded`` while the store or the bus is away: pages and programs go on without them, and a
    balancer that took every process out for it would end those too. 503 when no program can be run here."""
    found = services()
    parts = {"runner": "ok"}
    if found.closing.is_set():
        parts["runner"] = "closing"
    else:
        try:
            found.desk.runner.isolation()
        except BackendError:
            parts["runner"] = "away"
    parts |= found.condition.parts()
    runs = parts["runner"] == "ok"
    status = "ok" if "away" not in parts.values() and runs else "degraded" if runs else "unavailable"
    response = jsonify(status=status, parts=parts)
    response.status_code = 200 if runs else 503
    return response


@blueprint.get("/api/condition")
def condition() -> dict[str, str]:
    """What the server has lost, as every page says it; "" if all is well. Not asked anew: it was looked at lately."""
    return {"text": services().condition.text}


@blueprint.get("/metrics")
def metrics() -> Response:
    """Prometheus's text format. For this machine itself, and for who has the token."""
    if not _may_measure():
        raise ApiError(403, "Metrics are for this machine, or for who has the token.", "Set STEPGRAPH_METRICS_TOKEN.")
    found: Metrics | None = current_app.extensions.get(_KEY)
    if found is None:
        raise ApiError(501, "This server keeps no metrics.", "pip install 'stepgraph[scale]'")
    return Response(found.text(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_measure() -> bool:
    token = services().config.metrics_token
    sent = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
        return True
    # A reverse proxy on this machine calls from loopback too, for anybody: it says for whom, or under which name.
    direct = not any(name in request.headers for name in _FORWARDED)
    return direct and is_loopback(request.remote_addr or "") and host_name(request.host) in LOOPBACK_NAMES


class Metrics:
    """What is counted. With several web processes each counts in a file of its own (``PROMETHEUS_MULTIPROC_DIR``), and
    whichever is asked adds them up. Labels are routes and states: never what a client chose."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry: CollectorRegistry = CollectorRegistry()
        to: Any = {"registry": self._registry, "namespace": "stepgraph"}
        self.requests = Counter("requests", "Requests answered.", ["method", "route", "status"], **to)
        self.seconds = Histogram("request_seconds", "Until an answer began, in seconds.", ["route"], **to)
        self.streams = Gauge("streams", "Event streams that are open.", multiprocess_mode="livesum", **to)
        self.runs = Counter("runs", "Runs by what became of them; `taken` counts all.", ["state"], **to)

    def text(self) -> bytes:
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._registry)
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody)  # type: ignore[no-untyped-call]
        return generate_latest(everybody)

    def count_run(self, state: str) -> None:
        self.runs.labels(state).inc()

    def begin(self) -> None:
        g.begun = time.perf_counter()

    def end(self, response: Response) -> Response:
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "other"
        self.requests.labels(method, route, str(response.status_code)).inc()
        if "begun" in g:
            self.seconds.labels(route).observe(time.perf_counter() - g.begun)
        if response.mimetype == "text/event-stream":
            self.streams.inc()
            response.call_on_close(self.streams.dec)
        return response


def register(app: Flask) -> None:
    """Count what ``app`` does, where prometheus-client is installed. Before anything that may refuse a request."""
    app.register_blueprint(blueprint)
    app.add_template_global(lambda: services().condition, "condition")
    try:
        found = Metrics()
    except ModuleNotFoundError:
        return
    app.extensions[_KEY] = found
    app.before_request(found.begin)
    app.after_request(found.end)
    app.extensions["stepgraph"].desk.on_run = found.count_run

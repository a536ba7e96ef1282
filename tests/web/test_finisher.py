"""The processes that check and lay out: deadline, death, closing."""

from __future__ import annotations

import json
import threading
import time

import pytest

from app.documents import BadTraceError, Finisher

BIG = 1 << 26


def test_a_document_is_the_trace_with_its_layout(trace: bytes) -> None:
    finisher = Finisher(workers=1)
    try:
        document = finisher.finish(trace, BIG)
        found = json.loads(document.text())
        assert found.pop("layout")["version"] == 1
        assert found == json.loads(trace)
        assert (document.end, document.size) == ("ok", len(document.text()))
        assert finisher.finish(trace, BIG) == document
    finally:
        finisher.close()


def test_one_that_takes_too_long_costs_only_itself(trace: bytes) -> None:
    finisher = Finisher(workers=1, seconds=0.01)
    try:
        with pytest.raises(BadTraceError, match=r"within 0\.01 s"):
            finisher.finish(trace, BIG)
        finisher._seconds = 20
        assert finisher.finish(trace, BIG).end == "ok"
    finally:
        finisher.close()


def test_a_process_that_dies_is_replaced(trace: bytes) -> None:
    finisher = Finisher(workers=1)
    try:
        finisher.finish(trace, BIG)
        finisher._idle[0].kill()
        finisher._idle[0].wait()
        with pytest.raises(BadTraceError, match="could not be read"):
            finisher.finish(trace, BIG)
        assert finisher.finish(trace, BIG).end == "ok"
    finally:
        finisher.close()


def test_closing_ends_the_work(trace: bytes) -> None:
    finisher = Finisher(workers=1)
    caught: list[BadTraceError] = []

    def work() -> None:
        try:
            while True:
                finisher.finish(trace, BIG)
        except BadTraceError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    finisher.close()
    thread.join(5)
    assert not thread.is_alive()
    assert caught
    with pytest.raises(BadTraceError, match="closing"):
        finisher.finish(trace, BIG)

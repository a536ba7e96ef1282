"""What both buses promise: order, numbers, coming back, waiting, ending."""

from __future__ import annotations

import threading
import uuid

import pytest

from app.bus import Bus, BusError, LocalBus, connect
from app.bus.local import CHANNELS, KEPT
from app.bus.redis_streams import RedisBus


@pytest.fixture
def channel() -> str:
    return f"class-{uuid.uuid4().hex}"


def test_who_comes_back_gets_the_rest_in_order(bus: Bus, channel: str) -> None:
    numbers = [bus.publish(channel, f"message {n}") for n in range(5)]
    assert numbers == sorted(set(numbers))
    found: list[str] = []
    for news in bus.subscribe(channel, numbers[1], timeout=2):
        found += [message.text for message in news]
        if len(found) == 3:
            break
    assert found == ["message 2", "message 3", "message 4"]


def test_channels_are_apart(bus: Bus, channel: str) -> None:
    bus.publish(channel, "mine")
    bus.publish(f"{channel}-other", "not mine")
    assert [message.text for message in next(bus.subscribe(channel, 0, timeout=2))] == ["mine"]


def test_many_subscribers_hear_what_comes_later(bus: Bus, channel: str) -> None:
    heard: list[str] = []
    listening = threading.Barrier(6)

    def listen() -> None:
        follows = bus.subscribe(channel, bus.last(channel), timeout=5)
        listening.wait(5)
        heard.extend(message.text for message in next(follows))

    threads = [threading.Thread(target=listen) for _ in range(5)]
    for thread in threads:
        thread.start()
    listening.wait(5)
    bus.publish(channel, "now")
    for thread in threads:
        thread.join(5)
    assert heard == ["now"] * 5


def test_silence_is_an_empty_list(bus: Bus, channel: str) -> None:
    assert next(bus.subscribe(channel, 0, timeout=0.01)) == []


def test_closing_lets_subscribers_go(bus: Bus, channel: str) -> None:
    ended = threading.Event()

    def listen() -> None:
        for _ in bus.subscribe(channel, 0, timeout=30):
            pass
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    bus.close()
    assert ended.wait(5)


def test_a_process_that_starts_later_knows_what_was_said(redis_url: str, channel: str) -> None:
    first = RedisBus(redis_url)
    number = first.publish(channel, "before")
    second = RedisBus(redis_url)
    try:
        assert second.last(channel) == number
        second.publish(channel, "after")
        follows = first.subscribe(channel, number, timeout=5)
        assert [message.text for message in next(follows)] == ["after"]
    finally:
        first.close()
        second.close()


def test_closing_does_not_break_what_is_being_published(redis_url: str, channel: str) -> None:
    bus = RedisBus(redis_url)
    closed = threading.Event()
    failed: list[Exception] = []

    def publish() -> None:
        try:
            while not closed.is_set():
                bus.publish(channel, "a step")
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=publish) for _ in range(8)]
    for thread in threads:
        thread.start()
    bus.publish(channel, "now")
    bus.close()
    closed.set()
    for thread in threads:
        thread.join(5)
    assert failed == []


def test_a_server_that_is_away_is_an_error_to_publish_and_silence_to_follow() -> None:
    bus = RedisBus("redis://127.0.0.1:1/0")
    try:
        with pytest.raises(BusError, match="cannot be reached"):
            bus.publish("class-a", "hello")
        assert next(bus.subscribe("class-a", 0, timeout=0.01)) == []
    finally:
        bus.close()


def test_an_address_that_is_none_says_what_to_write() -> None:
    with pytest.raises(BusError, match="redis://HOST/0"):
        connect("nonsense")


def test_a_local_bus_keeps_a_bounded_past() -> None:
    bus = LocalBus()
    for n in range(KEPT + 5):
        bus.publish("a", str(n))
    news = next(bus.subscribe("a", 0, timeout=1))
    assert (len(news), news[0].text) == (KEPT, "5")
    for n in range(CHANNELS + 5):
        bus.publish(f"other-{n}", "x")
    assert bus.last("a") == 0

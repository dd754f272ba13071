"""Prints visits as they are enriched, one a line. Python 3.9 or later:

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    KAFKA_BROKERS=localhost:9092 GROUP_ID=my-service venv/bin/python consumer.py

TLS and SASL are settings of the client:
https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
"""

import json
import os
import signal
import sys

from confluent_kafka import Consumer, KafkaException, Message

SEEN_LIMIT = 100_000


class Seen:
    """Ids seen lately: what comes again is a repeat."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def is_repeat(self, id: str) -> bool:
        if id in self._ids:
            return True
        self._ids[id] = None
        if len(self._ids) > SEEN_LIMIT:
            del self._ids[next(iter(self._ids))]  # the oldest
        return False


def handle(message: Message, seen: Seen) -> None:
    event = json.loads(message.value())
    if seen.is_repeat(event["id"]):
        print(f"repeat {event['id']}", flush=True)
        return
    who = event["identification"]
    # Paths are what strangers sent: quoted, a line stays a line.
    path = json.dumps(event["visit"]["request_path"])
    print(event["occurred_at"], who["result"], who["agent_token"] or "-", path, flush=True)


def main() -> None:
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BROKERS"],
            "group.id": os.environ["GROUP_ID"],
            "auto.offset.reset": "earliest",
            # Commits, now and then and at the end, what store_offsets() named.
            "enable.auto.offset.store": False,
            "max.partition.fetch.bytes": 3 * 1024 * 1024,
        }
    )
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    consumer.subscribe(["visits.enriched.v1"])
    seen = Seen()
    try:
        while not stopping:
            message = consumer.poll(1.0)
            if message is None:
                continue
            error = message.error()
            if error is None:
                handle(message, seen)
                consumer.store_offsets(message)
            elif error.fatal():
                raise KafkaException(error)
            else:
                print(error, file=sys.stderr)  # the client goes on by itself
    finally:
        consumer.close()


if __name__ == "__main__":
    main()

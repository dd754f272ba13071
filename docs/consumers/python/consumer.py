"""Prints visits as they are enriched, one a line. Python 3.9 or later:

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    KAFKA_BROKERS=localhost:9092 GROUP_ID=my-service venv/bin/python consumer.py

connection.py reads TLS and SASL from the environment.
"""

from __future__ import annotations

import json
import signal
import sys

from confluent_kafka import Consumer, KafkaException, Message

from connection import Errors, check_topics, connection_settings, required

TOPICS = ["visits.enriched.v1"]
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
    group = required("GROUP_ID")
    errors = Errors()
    consumer = Consumer(
        {
            **connection_settings(),
            "group.id": group,
            "auto.offset.reset": "earliest",
            # Commits, now and then and at the end, what store_offsets() named.
            "enable.auto.offset.store": False,
            "max.partition.fetch.bytes": 3 * 1024 * 1024,
            "error_cb": errors,
        }
    )
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    seen = Seen()
    try:
        check_topics(consumer, TOPICS, errors)
        consumer.subscribe(TOPICS)
        print(f"reading {', '.join(TOPICS)} as group {group}", file=sys.stderr)
        while not stopping:
            message = consumer.poll(1.0)
            errors.check()
            if message is None:
                continue
            error = message.error()
            if error is None:
                handle(message, seen)
                consumer.store_offsets(message)
            else:
                errors(error)  # the client tries again, if that can help
                errors.check()
    except KafkaException as error:
        sys.exit(str(error.args[0]))
    finally:
        consumer.close()


if __name__ == "__main__":
    main()

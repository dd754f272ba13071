"""Prints visits as they are enriched, one a line, and what becomes of them later. Python 3.9 or later:

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    KAFKA_BROKERS=localhost:9092 GROUP_ID=my-service venv/bin/python consumer.py

connection.py reads TLS and SASL from the environment.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

from confluent_kafka import Consumer, KafkaException, Message

from connection import Errors, check_topics, connection_settings, required

ENRICHED = "visits.enriched.v1"
CHANGED = "visits.changed.v1"
TOPICS = [ENRICHED, CHANGED]
SEEN_LIMIT = 100_000


class Seen:
    """Recent IDs. The first message of a visit counts: a repeat can have another identification."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def is_repeat(self, id: str) -> bool:
        if id in self._ids:
            return True
        self._ids[id] = None
        if len(self._ids) > SEEN_LIMIT:
            del self._ids[next(iter(self._ids))]  # the oldest
        return False


def line_of(visit: dict[str, Any]) -> str:
    who = visit["identification"]
    # Strangers choose paths: quoted, a line stays a line.
    path = json.dumps(visit["visit"]["request_path"])
    return f"{visit['occurred_at']} {who['result']} {who['agent_token'] or '-'} {path}"


def handle_visit(visit: dict[str, Any], seen: Seen) -> None:
    print(f"repeat {visit['id']}" if seen.is_repeat(visit["id"]) else line_of(visit), flush=True)


def handle_change(event: dict[str, Any], seen: Seen) -> None:
    """A change overrides the visit, also if the visit arrives later."""
    change, visit_id = event["change"], event["visit_id"]
    if visit_id is not None:
        seen.is_repeat(visit_id)
    if change == "reidentified":
        print("changed", line_of(event["enriched_visit"]), flush=True)
    elif change == "erased":
        print("erased", visit_id, flush=True)
    elif change == "project_removed":
        print("removed", event["project_id"], flush=True)


def handle(message: Message, seen: Seen) -> None:
    event = json.loads(message.value())
    if message.topic() == CHANGED:
        handle_change(event, seen)
    else:
        handle_visit(event, seen)


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

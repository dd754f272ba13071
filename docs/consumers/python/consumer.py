"""Prints enriched visits, one per line, and later changes to them. Requires Python 3.9 or later:

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

from connection import ErrorHandler, check_topics, connection_settings, required

ENRICHED_TOPIC = "visits.enriched.v1"
CHANGED_TOPIC = "visits.changed.v1"
TOPICS = [ENRICHED_TOPIC, CHANGED_TOPIC]
MAX_SEEN_IDS = 100_000


class SeenIds:
    """IDs of recent visits.

    Only the first message about a visit counts, because a repeat may have a different identification.
    """

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def is_repeat(self, id: str) -> bool:
        if id in self._ids:
            return True
        self._ids[id] = None
        if len(self._ids) > MAX_SEEN_IDS:
            del self._ids[next(iter(self._ids))]  # the oldest
        return False


def format_visit(visit: dict[str, Any]) -> str:
    identification = visit["identification"]
    # Visitors choose the path. Quoting it keeps line breaks out of the output.
    path = json.dumps(visit["visit"]["request_path"])
    return f"{visit['occurred_at']} {identification['result']} {identification['agent_token'] or '-'} {path}"


def handle_visit(visit: dict[str, Any], seen: SeenIds) -> None:
    print(f"repeat {visit['id']}" if seen.is_repeat(visit["id"]) else format_visit(visit), flush=True)


def handle_change(event: dict[str, Any], seen: SeenIds) -> None:
    """Applies a change. It overrides the visit, even if the visit arrives later."""
    change, visit_id = event["change"], event["visit_id"]
    if visit_id is not None:
        seen.is_repeat(visit_id)
    if change == "reidentified":
        print("changed", format_visit(event["enriched_visit"]), flush=True)
    elif change == "erased":
        print("erased", visit_id, flush=True)
    elif change == "project_removed":
        print("removed", event["project_id"], flush=True)


def handle(message: Message, seen: SeenIds) -> None:
    event = json.loads(message.value())
    if message.topic() == CHANGED_TOPIC:
        handle_change(event, seen)
    else:
        handle_visit(event, seen)


def main() -> None:
    group = required("GROUP_ID")
    errors = ErrorHandler()
    consumer = Consumer(
        {
            **connection_settings(),
            "group.id": group,
            "auto.offset.reset": "earliest",
            # The client commits stored offsets periodically and on close. Store them only after handling a message.
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
    seen = SeenIds()
    try:
        check_topics(consumer, TOPICS, errors)
        consumer.subscribe(TOPICS)
        print(f"reading {', '.join(TOPICS)} as group {group}", file=sys.stderr)
        while not stopping:
            message = consumer.poll(1.0)
            errors.raise_permanent()
            if message is None:
                continue
            error = message.error()
            if error is None:
                handle(message, seen)
                consumer.store_offsets(message)
            else:
                errors(error)  # The client retries temporary errors.
                errors.raise_permanent()
    except KafkaException as error:
        sys.exit(str(error.args[0]))
    finally:
        consumer.close()


if __name__ == "__main__":
    main()

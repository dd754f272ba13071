"""Reads brokers, TLS and SASL from the environment.

All client settings: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from confluent_kafka import Consumer, KafkaError, KafkaException

START_TIMEOUT_SECONDS = 15

_MECHANISMS = {"plain": "PLAIN", "scram-sha-256": "SCRAM-SHA-256", "scram-sha-512": "SCRAM-SHA-512"}
# Errors that a retry can't fix.
_PERMANENT_ERRORS = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError._AUTHENTICATION,
}


def required(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        sys.exit(f"set {name}")
    return value


def connection_settings() -> dict[str, object]:
    ca_file = os.environ.get("KAFKA_TLS_CA_FILE")
    uses_tls = os.environ.get("KAFKA_TLS") == "true" or bool(ca_file)
    user = os.environ.get("KAFKA_SASL_USERNAME")
    settings: dict[str, object] = {
        "bootstrap.servers": required("KAFKA_BROKERS"),
        "security.protocol": ("SASL_" if user else "") + ("SSL" if uses_tls else "PLAINTEXT"),
    }
    if ca_file:
        settings["ssl.ca.location"] = ca_file
    if user:
        mechanism = os.environ.get("KAFKA_SASL_MECHANISM") or "plain"
        if mechanism not in _MECHANISMS:
            sys.exit(f"KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512 (got {mechanism!r})")
        settings |= {"sasl.mechanism": _MECHANISMS[mechanism], "sasl.username": user, "sasl.password": _password()}
    return settings


def _password() -> str:
    file = os.environ.get("KAFKA_SASL_PASSWORD_FILE")
    return Path(file).read_text().rstrip("\r\n") if file else required("KAFKA_SASL_PASSWORD")


class ErrorHandler:
    """Prints connection errors, without consecutive duplicates, and raises those that a retry can't fix."""

    def __init__(self) -> None:
        self._last_message: str | None = None
        self._permanent_error: KafkaError | None = None

    def __call__(self, error: KafkaError) -> None:
        """Callback for `error_cb`, which must not raise."""
        if error.fatal() or error.code() in _PERMANENT_ERRORS:
            self._permanent_error = error
        if str(error) != self._last_message:
            self._last_message = str(error)
            print(error, file=sys.stderr)

    def raise_permanent(self) -> None:
        if self._permanent_error is not None:
            raise KafkaException(self._permanent_error)


def check_topics(consumer: Consumer, topics: list[str], errors: ErrorHandler) -> None:
    """Raises KafkaException if the brokers can't be reached or deny access, or if a topic doesn't exist."""
    for topic in topics:
        try:
            metadata = consumer.list_topics(topic, timeout=START_TIMEOUT_SECONDS).topics[topic]
        except KafkaException:
            errors.raise_permanent()
            print("Can't connect to Kafka. Does it require KAFKA_TLS or KAFKA_SASL_USERNAME?", file=sys.stderr)
            raise
        if metadata.error is not None:
            raise KafkaException(metadata.error)

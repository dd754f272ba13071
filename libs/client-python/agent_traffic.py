"""Reports a Python site's visits to Agent Traffic, and identifies and blocks agents.

    from agent_traffic import AgentTraffic

    traffic = AgentTraffic()  # reads AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN
    application = traffic.wsgi(application)  # WSGI: Django, Flask, …
    app = traffic.asgi(app)  # ASGI: FastAPI, Starlette, Django, …

Requires Python 3.9 or later and only the standard library. Reporting never delays responses and never raises
exceptions.
"""

import asyncio
import atexit
import base64
import collections
import functools
import gzip
import hashlib
import ipaddress
import json
import logging
import os
import queue
import random
import re
import signal
import threading
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import uuid
import weakref
from datetime import datetime, timezone

__all__ = ["AgentTraffic", "AgentTrafficError"]
__version__ = "0.1.0"

_log = logging.getLogger("agent_traffic")

_MAX_PATH_LENGTH = 8_192
_MAX_METHOD_LENGTH = 64
# Maximum number of headers per message and of values per header.
_MAX_HEADERS = 200
_MAX_HEADER_LENGTH = 8_192
_MAX_RETRY_DELAY_SECONDS = 30.0
_MAX_RETRY_AFTER_SECONDS = 300.0
# Pause before rules are fetched again after a failure, and before a guard queries the instance again after consecutive
# failures.
_PAUSE_AFTER_FAILURE_SECONDS = 10.0
# Number of distinct visitors whose requests must get no response in a row before guards pause. A single visitor can't
# pause them, because a request may time out due to its own content.
_MAX_FAILED_VISITORS = 5
# Maximum time to send queued visits at shutdown. Docker kills a process 10 seconds after SIGTERM.
_SHUTDOWN_TIMEOUT_SECONDS = 8.0
# Maximum time to send queued visits at shutdown while the instance is down.
_OUTAGE_TIMEOUT_SECONDS = 2.5
# Key in the WSGI environ or ASGI scope for the set of projects that the request was reported to.
_REPORTED_KEY = "agent_traffic.reported"
_MAX_CACHED_DECISIONS = 10_000


class AgentTrafficError(Exception):
    """Failed request to the instance. `status` is None if the instance did not respond."""

    def __init__(self, message, status=None, retry_after=None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after

    @property
    def is_transient(self):
        """Whether a retry of the same request may succeed."""
        return self.status is None or self.status >= 500 or self.status in (408, 409, 425, 429)


class AgentTraffic:
    """Client that reports visits to a project on an Agent Traffic instance and identifies agents.

    url, token: Instance URL and the project's access token. Default: the AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN
        environment variables. If either is missing, a warning is logged and no visits are reported.
    max_queued: Maximum number of queued visits. When it is exceeded, the oldest visits are dropped.
    batch_size: Number of visits per request. A full batch is sent immediately.
    interval: Maximum time that a visit is queued, in seconds.
    timeout: Timeout for sending visits, in seconds.
    redact: Additional headers and URL parameters to redact. Names that look like credentials are always redacted.
    handle_sigterm: Whether to send queued visits on SIGTERM. Has no effect if SIGTERM already has a handler, or outside
        the main thread.
    """

    def __init__(
        self,
        url=None,
        token=None,
        *,
        max_queued=10_000,
        batch_size=50,
        interval=1.0,
        timeout=10.0,
        redact=(),
        handle_sigterm=True,
    ):
        self._url = (url or os.environ.get("AGENT_TRAFFIC_URL", "")).rstrip("/")
        self._token = token or os.environ.get("AGENT_TRAFFIC_TOKEN", "")
        self.is_enabled = bool(self._url and self._token)
        if not self.is_enabled:
            _log.warning(
                "visits are not being reported: set AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN, or pass url and token"
            )
        elif not self._url.startswith(("https://", "http://")):
            raise ValueError(f"url must start with https:// or http:// (got {self._url!r})")
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._rules_cache = {}
        self._redacted_names = frozenset(map(_to_comparable_name, redact))
        self._sender = _Sender(self._post, self._redact_visit, max_queued, max(2, batch_size), interval, timeout)
        if self.is_enabled:
            _shut_down_on_exit(self._sender, handle_sigterm)

    def wsgi(self, app, block=None):
        """Wraps a WSGI application to report its visits. `block` is a guard from `AgentTraffic.block`."""
        return _WsgiApp(self, app, block) if self.is_enabled else app

    def asgi(self, app, block=None):
        """Wraps an ASGI application to report its visits. `block` is a guard from `AgentTraffic.block`."""
        return _AsgiApp(self, app, block) if self.is_enabled else app

    def block(self, types, *, unless_verified=True, status=403, timeout=0.5, max_age=60.0):
        """Returns a guard for `wsgi` and `asgi` that blocks agents of these types with status 403 or 402.

        Each request waits for the instance for up to `timeout` seconds, and is allowed if the instance doesn't respond.
        Decisions about unsigned requests are cached for `max_age` seconds by User-Agent and address. After failures for
        five visitors in a row, all requests are allowed for 10 seconds. /robots.txt is never blocked.
        """
        if status not in (402, 403):
            raise ValueError(f"status must be 403 or 402 (got {status!r})")
        return _Guard(self, frozenset(types), unless_verified, status, timeout, max_age)

    def report(self, visit):
        """Queues a visit: a dict with the fields of `POST /visits`. Returns immediately and never raises."""
        if self.is_enabled:
            self._sender.put(visit)

    def flush(self, timeout=10.0):
        """Sends all queued visits. Returns whether every visit was sent or dropped within `timeout` seconds."""
        return self._sender.flush(timeout)

    def shutdown(self, timeout=_SHUTDOWN_TIMEOUT_SECONDS):
        """Sends all queued visits, and drops those not sent within `timeout` seconds, as well as later visits.

        The timeout is capped at 2.5 seconds while the instance is down. Runs automatically when the process exits.
        """
        return _shut_down([self._sender], timeout)

    @property
    def dropped(self):
        """Number of visits lost because the queue was full, the client was shut down or the instance rejected them."""
        return self._sender.dropped

    def identify(self, requests, timeout=2.0):
        """Identifies the sender of a request, or the senders of up to 1,000 requests.

        Redacts credentials in the headers. Returns a dict with `result`, and `agent_token`, `agent_type_name`, … if an
        agent was identified. For a list of requests, returns a list of such dicts. Raises AgentTrafficError.

        requests: A dict with `request_headers` and, if known, the connection's peer address as `client_address`, or a
            list of such dicts.
        """
        is_single = isinstance(requests, dict)
        body = self._to_identification(requests) if is_single else [self._to_identification(item) for item in requests]
        return self._post_for_json("/agent-identifications", body, timeout)

    def verify(self, request, timeout=2.0):
        """Identifies the sender of a request. Raises AgentTrafficError.

        Unlike `identify`, it also sends the `request_path`, which is needed to verify signatures that cover it. The
        path isn't redacted, because that would invalidate such signatures.
        """
        path = (request.get("request_path") or "/")[:_MAX_PATH_LENGTH]
        body = {**self._to_identification(request), "request_path": path}
        return self._post_for_json("/agent-verifications", body, timeout)

    def robots_txt(self, types, *, max_age=3600.0, **options):
        """Returns robots.txt rules for agents of these types, to append to the site's own rules.

        Rules are cached for `max_age` seconds, and then refreshed in the background while stale rules are returned.
        Never raises: returns an empty string until the instance has responded once.

        options: `disallow`, `excluded_agent_tokens`, `excluded_operator_names` and other fields of `POST /robots-txts`.
        """
        body = {"agent_types": list(types), **options}
        return self._get_cached("/robots-txts", body, max_age, bytes.decode, "")

    def tokens(self, types, *, max_age=3600.0, **options):
        """Returns a list of user agent tokens for agents of these types. Cached in the same way as `robots_txt`."""
        body = {"agent_types": list(types), **options}
        return self._get_cached("/user-agent-token-lists", body, max_age, json.loads, [])

    def _to_identification(self, request):
        return {
            **{name: request[name] for name in ("id", "client_address") if name in request},
            "request_headers": self._redact_headers(request["request_headers"]),
        }

    def _post_for_json(self, path, body, timeout):
        headers = {"Agent-Traffic-Timeout-Ms": str(round(timeout * 1000))}
        response = self._post(path, json.dumps(body).encode(), headers, timeout)[1]
        try:
            return json.loads(response)
        except ValueError as error:
            raise AgentTrafficError(f"POST {self._url}{path} returned invalid JSON", 200) from error

    def _get_cached(self, path, body, max_age, parse, default):
        if not self.is_enabled:
            return default
        key = (path, json.dumps(body, sort_keys=True))
        entry = self._rules_cache.setdefault(key, _CacheEntry(default))

        def fetch():
            try:
                entry.value = parse(self._post(path, json.dumps(body).encode(), {}, 2.0)[1])
                entry.fetched_at = time.monotonic()
            except Exception as error:
                _log.warning("failed to fetch rules: %s", error)

        now = time.monotonic()
        if now - entry.fetched_at < max_age or now - entry.tried_at < _PAUSE_AFTER_FAILURE_SECONDS:
            return entry.value
        entry.tried_at = now
        if entry.fetched_at == float("-inf"):
            fetch()
            return entry.value
        stale_value = entry.value
        threading.Thread(target=fetch, daemon=True).start()
        return stale_value

    def _post(self, path, body, headers, timeout):
        """Returns the headers and body of a 2xx response. Raises AgentTrafficError for other statuses and failures."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json", **headers}
        try:
            request = urllib.request.Request(self._url + path, body, headers, method="POST")
            with self._opener.open(request, timeout=timeout) as response:
                return response.headers, response.read()
        except urllib.error.HTTPError as error:
            retry_after = error.headers.get("Retry-After", "")
            with error:
                detail = error.read(500).decode(errors="replace")
            raise AgentTrafficError(
                f"POST {path} returned {error.code}" + (f": {detail}" if detail else ""),
                error.code,
                float(retry_after) if re.fullmatch("[0-9]{1,6}", retry_after) else None,
            ) from None
        except Exception as error:
            raise AgentTrafficError(f"POST {self._url}{path} failed: {error}") from error

    def _redact_visit(self, visit):
        visit = dict(visit)
        for field in ("request_headers", "response_headers"):
            headers = visit.get(field)
            if headers:
                visit[field] = self._redact_headers(headers)
        visit["request_path"] = _redact_parameters(visit.get("request_path", "/"), self._is_secret)[:_MAX_PATH_LENGTH]
        if isinstance(visit.get("request_method"), str):
            visit["request_method"] = visit["request_method"][:_MAX_METHOD_LENGTH]
        return visit

    def _redact_headers(self, headers):
        """Returns a copy with credentials redacted. Drops and truncates headers that exceed the instance's limits."""
        names = list(headers)
        if len(names) > _MAX_HEADERS:
            names = sorted(names, key=lambda name: not _IDENTITY_HEADERS.search(name.lower()))[:_MAX_HEADERS]
        return {name: self._redact_header(name, headers[name]) for name in names}

    def _redact_header(self, name, value):
        if self._is_secret(name):
            return _redact_payment(name, value)
        value = _limit_value(value)
        return value if _SIGNATURE_HEADERS.match(name) else _redact_header_value(value, self._is_secret)

    def _is_secret(self, name):
        return _is_credential_name(name) or _to_comparable_name(name) in self._redacted_names


def _limit_value(value):
    if isinstance(value, (list, tuple)):
        return [_limit_value(item) for item in value[:_MAX_HEADERS]]
    return value[:_MAX_HEADER_LENGTH] if isinstance(value, str) else value


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # Following a redirect would drop the body and could send the token to another host.


class _CacheEntry:
    def __init__(self, value):
        self.value = value
        self.fetched_at = self.tried_at = float("-inf")


def _logs_errors(function):
    """Decorates reporting code to log errors instead of raising them, so they can't break the site."""

    @functools.wraps(function)
    def wrapper(*arguments, **options):
        try:
            return function(*arguments, **options)
        except Exception:
            _log.warning("failed to report a visit", exc_info=True)
            return None

    return wrapper


# --- Sending visits ---


class _Sender:
    """Sends queued visits from a background thread. Each process starts its thread when it queues its first visit.

    `flush`, `begin_shutdown` and `finish_shutdown` can run in a signal handler. They never acquire the lock, because
    the interrupted thread may hold it.
    """

    def __init__(self, post, redact_visit, max_queued, batch_size, interval, timeout):
        self._post = post
        self._redact_visit = redact_visit
        self._max_queued = max_queued
        self._batch_size = batch_size
        self._interval = interval
        self._timeout = timeout
        self._reset()
        if hasattr(os, "register_at_fork"):
            # The parent process sends its own queued visits, so a child must start with an empty queue.
            reset = weakref.WeakMethod(self._reset)
            os.register_at_fork(after_in_child=lambda: (method := reset()) and method())

    def _reset(self):
        self._visits = collections.deque()
        self._lock = threading.Lock()
        self._wakeups = queue.SimpleQueue()
        self._thread = None
        self.is_closed = False
        # Deadline of the current flush or shutdown, or None. Until then, visits don't wait for a full batch.
        self._hurry_until = None
        # Numbers of visits since the process started.
        self._queued = self._overflowed = self._sent = self._rejected = 0
        self._warned_at = float("-inf")
        self._last_error = None
        # Start of the current outage (no response or 5xx), or None.
        self._down_since = None
        # Start of the current shutdown, or None.
        self._shutdown_started = None
        # Time spent on previous shutdowns that timed out without sending anything.
        self._previous_shutdown_seconds = 0.0
        self._dropped_before_shutdown = self._sent_before_shutdown = 0

    @property
    def dropped(self):
        return self._overflowed + self._rejected

    @_logs_errors
    def put(self, visit):
        with self._lock:
            self._queued += 1
            if self.is_closed:
                self._overflowed += 1
                return
            if len(self._visits) >= self._max_queued:
                self._visits.popleft()
                self._overflowed += 1
                self._warn("dropped the oldest visits: the queue is full (max_queued=%s)", self._max_queued)
            self._visits.append(visit)
            count = len(self._visits)
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(target=self._run, name="agent-traffic", daemon=True)
                thread.start()
                self._thread = thread
        if count == 1 or count % self._batch_size == 0:
            self._wakeups.put(None)

    def flush(self, timeout):
        target = self._queued
        self._hurry_until = deadline = time.monotonic() + timeout
        self._wakeups.put(None)
        while self._sent + self.dropped < target and time.monotonic() < deadline:
            if self._thread is not None and self._thread.is_alive():
                time.sleep(0.005)
            elif self._visits:
                self._deliver(self._take_batch())
            else:
                break
        self._hurry_until = None
        return self._sent + self.dropped >= target

    def begin_shutdown(self, timeout):
        """Starts a shutdown without waiting for it. Call `finish_shutdown` to wait."""
        now = time.monotonic()
        if self._previous_shutdown_seconds == 0 or self._sent > self._sent_before_shutdown:
            self._previous_shutdown_seconds = 0.0
            self._sent_before_shutdown = self._sent
            self._dropped_before_shutdown = self.dropped
        self._shutdown_started = now
        self._hurry_until = now + max(0, timeout - self._previous_shutdown_seconds)
        self._wakeups.put(None)

    def finish_shutdown(self, closes):
        """Waits for a shutdown. Returns whether every visit was sent or dropped in time.

        closes: Whether to drop visits that are queued later, and to log the number of lost visits.
        """
        while self._sent + self.dropped < self._queued and not self._has_shutdown_expired():
            if self._thread is not None and self._thread.is_alive():
                time.sleep(0.005)
            elif self._visits:
                self._deliver(self._take_batch())
            else:
                break
        is_done = self._sent + self.dropped >= self._queued
        self._previous_shutdown_seconds = (
            0.0 if is_done else self._previous_shutdown_seconds + time.monotonic() - self._shutdown_started
        )
        self.is_closed = closes
        if closes:
            lost = self._queued - self._sent - self._dropped_before_shutdown
            if lost > 0:
                reason = f": {self._last_error}" if self._last_error else ""
                _log.warning("dropped %s at shutdown%s", _format_count(lost), reason)
        else:
            self._shutdown_started = self._hurry_until = None
        return is_done

    def _run(self):
        while True:
            if not self._visits:
                self._wakeups.get()
            deadline = time.monotonic() + self._interval
            while len(self._visits) < self._batch_size and not self._is_hurrying() and time.monotonic() < deadline:
                self._wait(deadline - time.monotonic())
            self._deliver(self._take_batch())

    def _is_hurrying(self):
        deadline = self._hurry_until
        return deadline is not None and time.monotonic() < deadline

    def _take_batch(self):
        batch = []
        try:
            while len(batch) < self._batch_size:
                batch.append(self._visits.popleft())
        except IndexError:
            pass
        return batch

    def _deliver(self, visits):
        serialized = []
        for visit in visits:
            try:
                document = json.dumps(self._redact_visit(visit), default=str, allow_nan=False)
                serialized.append((visit, document.encode()))
            except Exception as error:
                self._drop([visit], error)
        if not serialized:
            return
        visits = [visit for visit, _ in serialized]
        body = gzip.compress(b"[" + b",".join(document for _, document in serialized) + b"]", 6)
        headers = {
            "Content-Encoding": "gzip",
            "Idempotency-Key": uuid.uuid4().hex,
            "User-Agent": f"agent-traffic-python/{__version__}",
        }
        attempt = 0
        while True:
            try:
                response_headers, _ = self._post("/visits", body, headers, self._request_timeout())
                self._down_since = None
                rejected = min(int(response_headers.get("X-Visits-Rejected") or 0), len(visits))
                self._sent += len(visits) - rejected
                self._rejected += rejected
                return
            except AgentTrafficError as error:
                is_down = error.status is None or error.status >= 500
                self._down_since = (self._down_since or time.monotonic()) if is_down else None
                if error.status == 413 and len(visits) > 1:
                    middle = len(visits) // 2
                    self._deliver(visits[:middle])
                    self._deliver(visits[middle:])
                    return
                # If the queue is full, drop this batch instead of retrying it, because its visits are the oldest.
                if not error.is_transient or self._has_shutdown_expired() or len(self._visits) >= self._max_queued:
                    self._drop(visits, error)
                    return
                self._last_error = error
                self._warn("visits are queued because the instance is unavailable: %s", error)
                self._wait_before_retry(_retry_delay(attempt, error.retry_after))
                attempt += 1

    def _request_timeout(self):
        deadline = self._hurry_until
        return self._timeout if deadline is None else max(0.1, min(self._timeout, deadline - time.monotonic()))

    def _has_shutdown_expired(self):
        if self._shutdown_started is None:
            return False
        down_since = self._down_since
        deadline = self._hurry_until
        if down_since is not None:
            outage_deadline = max(down_since, self._shutdown_started) + _OUTAGE_TIMEOUT_SECONDS
            deadline = min(deadline, outage_deadline - self._previous_shutdown_seconds)
        return time.monotonic() >= deadline

    def _drop(self, visits, error):
        self._rejected += len(visits)
        self._last_error = error
        # A shutdown logs all lost visits in a single warning.
        if self._shutdown_started is None:
            self._warn("dropped %s: %s", _format_count(len(visits)), error)

    def _warn(self, message, *arguments):
        """Logs a warning, at most once a minute so that an outage doesn't flood the site's log."""
        now = time.monotonic()
        if now - self._warned_at >= 60:
            self._warned_at = now
            _log.warning(message, *arguments)

    def _wait_before_retry(self, seconds):
        """Waits for the given time, or for up to a second while a caller waits for the queue to be sent.

        Returns early if a caller starts or stops waiting.
        """
        deadline = time.monotonic() + seconds
        was_hurrying = self._is_hurrying()
        while True:
            is_hurrying = self._is_hurrying()
            remaining = (min(deadline, deadline - seconds + 1) if is_hurrying else deadline) - time.monotonic()
            if remaining <= 0 or is_hurrying != was_hurrying:
                return
            self._wait(remaining)

    def _wait(self, seconds):
        try:
            self._wakeups.get(timeout=max(0, seconds))
        except queue.Empty:
            pass


def _retry_delay(attempt, retry_after):
    if retry_after is not None:
        return min(retry_after, _MAX_RETRY_AFTER_SECONDS) * (1 + random.random() / 4)
    return min(_MAX_RETRY_DELAY_SECONDS, 0.5 * 2 ** min(attempt, 10)) * (0.75 + random.random() / 2)


def _format_count(count):
    return "1 visit" if count == 1 else f"{count} visits"


_senders = weakref.WeakSet()


def _shut_down(senders, timeout=None, closes=True):
    """Sends all queued visits from several senders concurrently. Repeated calls during one exit share the timeout."""
    for sender in senders:
        sender.begin_shutdown(_SHUTDOWN_TIMEOUT_SECONDS if timeout is None else timeout)
    return all([sender.finish_shutdown(closes) for sender in senders])


def _shut_down_all():
    _shut_down([sender for sender in list(_senders) if not sender.is_closed])


def _on_sigterm(number, _):
    _shut_down_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _shut_down_on_exit(sender, handle_sigterm):
    if not _senders:
        atexit.register(_shut_down_all)
    _senders.add(sender)
    is_main = threading.current_thread() is threading.main_thread()
    # A server with its own SIGTERM handler exits normally, which runs the atexit handler.
    if handle_sigterm and is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _on_sigterm)


# --- Requests and responses ---


class _Exchange:
    """A request and its response. It is reported once per project, by the first client that sees the request."""

    def __init__(self, traffic, request, reported_projects):
        self._traffic = traffic
        self._visit = request
        self._started = time.monotonic()
        project = (traffic._url, traffic._token)
        self._is_reported = project in reported_projects
        reported_projects.add(project)

    @_logs_errors
    def set_response(self, status, headers):
        self._visit["response_status_code"] = int(str(status)[:3])
        self._visit["response_headers"] = _collect_headers(headers)

    def fail(self):
        """Call this if the application raises before it sends anything, which servers turn into a 500 response."""
        self._visit["response_status_code"] = 500
        self._visit.pop("response_headers", None)
        self.finish()

    @_logs_errors
    def finish(self, is_aborted=False):
        if self._is_reported:
            return
        self._is_reported = True
        self._visit["response_duration_in_milliseconds"] = round((time.monotonic() - self._started) * 1000, 3)
        if is_aborted:
            self._visit["response_aborted"] = True
        self._traffic.report(self._visit)


def _create_request(path, method, headers, client_address):
    request = {
        "request_path": path,
        "request_method": method,
        "request_headers": headers,
        "created": datetime.now(timezone.utc).isoformat(),
    }
    address = _parse_address(client_address)
    if address is not None:
        request["client_address"] = address
    return request


def _parse_address(text):
    """Returns an IP address without its IPv6 zone, or None if the text isn't an address, as with Unix sockets."""
    try:
        address = str(text).split("%", 1)[0]
        ipaddress.ip_address(address)
        return address
    except ValueError:
        return None


def _collect_headers(pairs):
    """Returns a dict of headers. The value of a repeated header is a list."""
    headers = {}
    for name, value in pairs:
        previous = headers.get(name)
        if previous is None:
            headers[name] = value
        else:
            headers[name] = [*previous, value] if isinstance(previous, list) else [previous, value]
    return headers


def _quote_latin_1(path):
    return urllib.parse.quote(path, safe="/!$&'()*+,;=:@~", encoding="latin-1", errors="replace")


def _quote_unicode(path):
    return urllib.parse.quote(path, safe="/!$&'()*+,;=:@~", errors="surrogatepass")


# --- Blocking ---


class _Guard:
    """Decides which requests to block. Allows a request if the instance can't identify its sender in time."""

    def __init__(self, traffic, types, unless_verified, status, timeout, max_age):
        self.status = status
        self._traffic = traffic
        self._types = types
        self._unless_verified = unless_verified
        self._timeout = timeout
        self._max_age = max_age
        self._decisions = {}
        self._failed_visitors = set()
        self._paused_until = float("-inf")

    def get_cached(self, request):
        """Returns whether to block the request, or None if the instance must be queried."""
        if request["request_path"].split("?", 1)[0] == "/robots.txt" or time.monotonic() < self._paused_until:
            return False
        decision, expires_at = self._decisions.get(self._cache_key(request), (None, 0.0))
        return decision if time.monotonic() < expires_at else None

    def should_block(self, request):
        """Returns whether to block the request. Queries the instance unless the decision is cached. Never raises."""
        try:
            decision = self.get_cached(request)
            return self._query(request) if decision is None else decision
        except Exception as error:
            # An error status concerns only this request, and shows that the instance is reachable.
            if isinstance(error, AgentTrafficError):
                if error.status is None:
                    self._record_failure(request)
                else:
                    self._failed_visitors.clear()
            _log.warning("allowed a request that could not be checked: %s", error)
            return False

    def _record_failure(self, request):
        if len(self._failed_visitors) < _MAX_FAILED_VISITORS:
            self._failed_visitors.add(_visitor_key(request))
        if len(self._failed_visitors) == _MAX_FAILED_VISITORS:
            self._paused_until = time.monotonic() + _PAUSE_AFTER_FAILURE_SECONDS

    def _query(self, request):
        started = time.monotonic()
        identification = self._traffic.verify(request, self._timeout)
        self._failed_visitors.clear()
        decision = identification.get("agent_type_name") in self._types and not (
            self._unless_verified and identification["result"] == "verified"
        )
        key = self._cache_key(request)
        # After a slow `not_verifiable`, a lookup may still be running. Its result is available for the next request.
        is_final = identification["result"] != "not_verifiable" or time.monotonic() - started < self._timeout / 2
        if key is not None and is_final:
            if len(self._decisions) >= _MAX_CACHED_DECISIONS:
                self._decisions.clear()
            self._decisions[key] = (decision, time.monotonic() + self._max_age)
        return decision

    @staticmethod
    def _cache_key(request):
        """Returns a key for the decision, or None for a signed request, because each signature must be verified."""
        headers = request["request_headers"]
        if "signature" in headers:
            return None
        identity = [(name, str(value)) for name, value in headers.items() if _IDENTITY_HEADERS.search(name)]
        # Hash the headers to limit memory use, because visitors can send long ones.
        text = repr((request.get("client_address"), *sorted(identity)))
        return hashlib.sha256(text.encode(errors="backslashreplace")).digest()


# Headers that help identify the sender. They take precedence if a request has too many headers.
_IDENTITY_HEADERS = re.compile("^(user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$")
# If the peer has a private address, it is the site's own proxy, so it doesn't distinguish visitors.
_PRIVATE_ADDRESS = re.compile(
    r"(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|::1$|f[cd]|fe[89ab]", re.IGNORECASE
)
# Address in an element of `Forwarded` (RFC 7239), which also describes the proxy and the protocol.
_FORWARDED_FOR = re.compile(r'(?:^|;)\s*for="?([^";]+)', re.IGNORECASE)
# IPv6 address in brackets, or an IPv4 address with a port.
_WITH_PORT = re.compile(r"\[([^\]]+)\]|([0-9]+\.[0-9.]+):")


def _visitor_key(request):
    """Returns a key that visitors can't easily forge: the peer address or, behind a proxy, the last forwarded address.

    IPv6 addresses are truncated to their /48 prefix. Without any address, the key is the user agent.
    """
    headers = request["request_headers"]
    peer = request.get("client_address")
    if peer is None or _PRIVATE_ADDRESS.match(peer):
        forwarded = _FORWARDED_FOR.search(_last_element(headers.get("forwarded")))
        peer = (
            _last_element(headers.get("x-forwarded-for"))
            or (forwarded and forwarded[1])
            or _last_element(headers.get("x-real-ip"))
        )
        with_port = _WITH_PORT.match(peer)
        if with_port:
            peer = with_port[1] or with_port[2]
    try:
        address = ipaddress.ip_address(peer)
        return ipaddress.ip_network((address, 48 if address.version == 6 else 32), strict=False)
    except ValueError:
        return peer or str(headers.get("user-agent"))


def _last_element(value):
    return str(value[-1] if isinstance(value, list) else value or "").rsplit(",", 1)[-1].strip()


_REASON_PHRASES = {402: "Payment Required", 403: "Forbidden"}


# --- WSGI ---


class _WsgiApp:
    def __init__(self, traffic, app, guard):
        self._traffic = traffic
        self._app = app
        self._guard = guard

    def __call__(self, environ, start_response):
        request = _parse_wsgi_request(environ)
        if request is None:
            return self._app(environ, start_response)
        exchange = _Exchange(self._traffic, request, environ.setdefault(_REPORTED_KEY, set()))
        if self._guard is not None and self._guard.should_block(request):
            return self._block(exchange, start_response)

        def observe_start_response(status, headers, *exc_info):
            exchange.set_response(status, headers)
            return start_response(status, headers, *exc_info)

        try:
            body = self._app(environ, observe_start_response)
            if _is_file(body, environ) and _finish_on_close(body, exchange):
                return body
            return (_SizedBody if hasattr(body, "__len__") else _Body)(body, exchange)
        except BaseException:
            exchange.fail()
            raise

    def _block(self, exchange, start_response):
        reason = _REASON_PHRASES[self._guard.status]
        headers = [
            ("Content-Type", "text/plain"),
            ("Cache-Control", "no-store"),
            ("Content-Length", str(len(reason) + 1)),
        ]
        exchange.set_response(self._guard.status, headers)
        exchange.finish()
        start_response(f"{self._guard.status} {reason}", headers)
        return [f"{reason}\n".encode()]


class _Body:
    """Response body that finishes the exchange when it is closed."""

    def __init__(self, body, exchange):
        self._body = body
        self._iterator = iter(body)
        self._exchange = exchange
        self._is_started = False
        self._is_complete = False

    def __iter__(self):
        return self

    def __next__(self):
        try:
            chunk = next(self._iterator)
        except StopIteration:
            self._is_complete = True
            raise
        except BaseException:
            if not self._is_started:
                self._exchange.fail()
            raise
        self._is_started = self._is_started or bool(chunk)
        return chunk

    def close(self):
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._exchange.finish(is_aborted=not self._is_complete)


class _SizedBody(_Body):
    """Preserves the body's length, because servers use it to set Content-Length for a body with a single chunk."""

    def __len__(self):
        return len(self._body)


def _is_file(body, environ):
    wrapper = environ.get("wsgi.file_wrapper")
    return isinstance(wrapper, type) and isinstance(body, wrapper)


def _finish_on_close(body, exchange):
    """Replaces the body's `close` method. The body retains its type, so the server can use sendfile.

    Returns False if the method can't be replaced.
    """
    close = getattr(body, "close", None)

    def close_and_finish():
        try:
            if close is not None:
                close()
        finally:
            exchange.finish()

    try:
        body.close = close_and_finish
        return True
    except AttributeError:
        return False


@_logs_errors
def _parse_wsgi_request(environ):
    headers = {
        name[5:].replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") and isinstance(value, str)
    }
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            headers[name.replace("_", "-").lower()] = environ[name]
    # Prefer the raw path, because quoting a decoded path again doesn't always restore the original.
    path = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    if not path.startswith("/"):
        query = environ.get("QUERY_STRING")
        path = _quote_latin_1(environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")) or "/"
        path += f"?{query}" if query else ""
    return _create_request(path, environ["REQUEST_METHOD"], headers, environ.get("REMOTE_ADDR"))


# --- ASGI ---


class _AsgiApp:
    def __init__(self, traffic, app, guard):
        self._traffic = traffic
        self._app = app
        self._guard = guard

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await self._handle_lifespan(scope, receive, send)
            return
        request = _parse_asgi_request(scope) if scope["type"] == "http" else None
        if request is None:
            await self._app(scope, receive, send)
            return
        scope = {**scope, _REPORTED_KEY: scope.get(_REPORTED_KEY) or set()}
        exchange = _Exchange(self._traffic, request, scope[_REPORTED_KEY])
        if self._guard is not None and await self._should_block(request):
            await self._block(exchange, send)
            return
        is_started = is_disconnected = False

        async def observe_receive():
            nonlocal is_disconnected
            message = await receive()
            is_disconnected = is_disconnected or message["type"] == "http.disconnect"
            return message

        async def observe_send(message):
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                exchange.set_response(message["status"], _decode_headers(message.get("headers", ())))
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                exchange.finish(is_aborted=is_disconnected)

        try:
            await self._app(scope, observe_receive, observe_send)
        except asyncio.CancelledError:
            # Servers cancel a request when its client disconnects, so this isn't a failure.
            raise
        except BaseException:
            if not is_started and not is_disconnected:
                exchange.fail()
            raise
        finally:
            exchange.finish(is_aborted=True)

    async def _should_block(self, request):
        try:
            decision = self._guard.get_cached(request)
            if decision is None:
                loop = asyncio.get_running_loop()
                decision = await loop.run_in_executor(None, self._guard.should_block, request)
            return decision
        except Exception:
            _log.warning("allowed a request that could not be checked", exc_info=True)
            return False

    async def _block(self, exchange, send):
        reason = _REASON_PHRASES[self._guard.status]
        headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
        exchange.set_response(self._guard.status, _decode_headers(headers))
        exchange.finish()
        await send({"type": "http.response.start", "status": self._guard.status, "headers": headers})
        await send({"type": "http.response.body", "body": f"{reason}\n".encode()})

    async def _handle_lifespan(self, scope, receive, send):
        """Forwards lifespan events to the application, and sends queued visits before the shutdown event."""
        has_received = False

        async def observe_receive():
            nonlocal has_received
            has_received = True
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._flush()
            return message

        try:
            await self._app(scope, observe_receive, send)
        except Exception:
            if has_received:
                raise
            # The application doesn't support lifespan events. Handle them here, so that the server waits on shutdown
            # until queued visits have been sent.
            await observe_receive()
            await send({"type": "lifespan.startup.complete"})
            await observe_receive()
            await send({"type": "lifespan.shutdown.complete"})

    async def _flush(self):
        try:
            shut_down = functools.partial(_shut_down, [self._traffic._sender], closes=False)
            await asyncio.get_running_loop().run_in_executor(None, shut_down)
        except Exception:
            _log.warning("failed to send queued visits", exc_info=True)


@_logs_errors
def _parse_asgi_request(scope):
    raw_path = scope.get("raw_path")
    path = raw_path.decode("latin-1").split("?", 1)[0] if raw_path else _quote_unicode(scope["path"])
    query = scope.get("query_string", b"").decode("latin-1")
    client = scope.get("client")
    headers = _collect_headers(_decode_headers(scope["headers"]))
    return _create_request(path + (f"?{query}" if query else ""), scope["method"], headers, client and client[0])


def _decode_headers(headers):
    return [(bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in headers]


# --- Redaction ---

# These lists and patterns must match the instance's. The instance also redacts credentials that it recognizes by their
# format, but the client only checks names.

# Harmless names that resemble credentials: RFC 9421 signature fields, the host, public keys and identifiers, and
# authentication challenges.
_HARMLESS_NAMES = frozenset(
    "signature signature-input signature-agent accept-signature :authority authority sec-websocket-key "
    "sec-websocket-accept idempotency-key surrogate-key cache-key www-authenticate proxy-authenticate "
    "access-control-allow-credentials".split()
)
# Names that payment APIs use for card and account secrets, and headers with a wallet's signature in x402.
_PAYMENT_NAMES = frozenset("cvc cvc2 cvv cvv2 pan card-number cardnumber iban x-payment sign-in-with-x".split())
_CREDENTIAL_FRAGMENT = re.compile(
    "token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|bearer|"
    "assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|magic-?link|captcha|"
    "turnstile|macaroon|unsubscribe"
)
# Words starting with `author`, which would otherwise match `auth`.
_AUTHOR_WORD = re.compile("author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)")
_CREDENTIAL_WORD = re.compile(
    "(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|"
    "cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)"
)
# One-time codes and links, such as `verification_code` and `invite-link`, but not `country_code` or `error_code`.
_ONE_TIME = re.compile(
    "(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|backup|"
    "invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|unlock|approval|"
    "registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|verify|verification|"
    "confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])"
)
# Parameters containing a one-time code, such as `?reset=` and `?email_verify=`.
_ONE_TIME_PARAMETER = re.compile(
    "invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|(?:^|"
    "[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|sso)(?:[^a-z]|$)|"
    "hash(?:[^a-z]|$)"
)
# Parameters in OAuth 2.0, WS-Federation and signed URLs. These names are harmless in headers.
_PARAMETER_NAMES = frozenset(
    "code state relaystate oauth-state wresult wctx signature sign hdnts hdnea hdntl --gda--".split()
)
# Word boundary in camel case, as in `otpValue`.
_CAMEL_CASE_BOUNDARY = re.compile("([a-z0-9])([A-Z])")
_PARAMETER_PATTERN = re.compile("(?<=[?&;#])([^=&;#?]*)=([^&;#]*)")
# URL in a header value, up to the next space. Other text can contain `; token=abc`, for example a user agent.
_URL_PATTERN = re.compile(r"\B/\S*", re.ASCII)
_CREDENTIAL_SCHEME = re.compile(r"[ \t]*(payment|license)(?:[ \t]|$)", re.IGNORECASE)
_MAX_PAYMENT_LENGTH = 16_384
# Signature headers (RFC 9421, RFC 9530). Redacting parts of their values would break signature verification.
_SIGNATURE_HEADERS = re.compile("(?:signature(?:-input|-agent)?|content-digest)$", re.IGNORECASE)


def _to_comparable_name(name):
    """Normalizes a name for comparisons. Full-width and other compatible letters are converted to ASCII."""
    return unicodedata.normalize("NFKC", name).strip().lower().replace("_", "-").replace(" ", "-")


@functools.lru_cache(maxsize=2_000)
def _is_credential_name(name):
    comparable = _to_comparable_name(name)
    if comparable in _HARMLESS_NAMES:
        return False
    name_without_author = _AUTHOR_WORD.sub("-", comparable)
    return (
        comparable in _PAYMENT_NAMES
        or _CREDENTIAL_FRAGMENT.search(name_without_author) is not None
        or _CREDENTIAL_WORD.search(name_without_author) is not None
        or _ONE_TIME.search(name_without_author) is not None
        or _CREDENTIAL_WORD.search(_split_camel_case(name)) is not None
    )


@functools.lru_cache(maxsize=2_000)
def _is_credential_parameter(name):
    comparable = _to_comparable_name(name)
    return (
        comparable in _PARAMETER_NAMES
        or _ONE_TIME_PARAMETER.search(comparable) is not None
        or _ONE_TIME_PARAMETER.search(_split_camel_case(name)) is not None
    )


def _split_camel_case(name):
    return _to_comparable_name(_CAMEL_CASE_BOUNDARY.sub(r"\1-\2", unicodedata.normalize("NFKC", name)))


def _redact_payment(name, value):
    """Returns the scheme of a payment or license, the price of an x402 payment without the signature and wallets, or
    `[redacted]`."""
    if not isinstance(value, str) or len(value) > _MAX_PAYMENT_LENGTH:
        return "[redacted]"
    if name.lower() == "authorization":
        scheme = _CREDENTIAL_SCHEME.match(value)
        return f"{scheme[1].capitalize()} [redacted]" if scheme else "[redacted]"
    if name.lower() not in ("payment-signature", "x-payment"):
        return "[redacted]"
    try:
        payment = json.loads(base64.b64decode(value, validate=True))
        reduced = {"x402Version": payment["x402Version"] if payment.get("x402Version") in (1, 2) else None}
        if "accepted" in payment:
            reduced["accepted"] = _pick(payment["accepted"], ("scheme", "network", "asset", "amount"))
        else:
            reduced.update(_pick(payment, ("scheme", "network")))
            reduced["payload"] = {"authorization": _pick(payment["payload"]["authorization"], ("value",))}
        return json.dumps(reduced, separators=(",", ":"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "[redacted]"


def _pick(fields, names):
    return {name: fields[name] for name in names if isinstance(fields.get(name), str) and len(fields[name]) <= 80}


def _redact_header_value(value, is_secret):
    if isinstance(value, list):
        return [_redact_header_value(item, is_secret) for item in value]
    if not isinstance(value, str):
        return value
    if "?" in value or "#" in value:
        return _redact_parameters(value, is_secret)
    return _URL_PATTERN.sub(lambda match: _redact_parameters(match[0], is_secret), value)


def _redact_parameters(text, is_secret):
    """Redacts query, fragment and path parameters, such as `/reset?token=abc` and `/a;jsessionid=abc`."""

    def redact(match):
        name = urllib.parse.unquote(match[1])
        return f"{match[1]}=[redacted]" if _is_credential_parameter(name) or is_secret(name) else match[0]

    return _PARAMETER_PATTERN.sub(redact, text)

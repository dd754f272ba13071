"""Reports the visits of a Python site to Agent Traffic, and asks it about requests.

    from agent_traffic import AgentTraffic

    traffic = AgentTraffic()  # reads AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN
    application = traffic.wsgi(application)  # WSGI: Django, Flask, …
    app = traffic.asgi(app)  # ASGI: FastAPI, Starlette, Django, …

One file, the standard library only, Python 3.9 or later. Reporting never delays a response and never raises into the site.
"""

import asyncio
import atexit
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
_MAX_HEADERS = 200
_MAX_HEADER_LENGTH = 8_192
_MAX_RETRY_DELAY_SECONDS = 30.0
_MAX_RETRY_AFTER_SECONDS = 300.0
# How long rules that could not be fetched, or an instance that did not answer guards, are left alone.
_PAUSE_AFTER_FAILURE_SECONDS = 10.0
# Visitors whose requests must fail in a row before guards stop asking: one can't decide that for all.
_MAX_FAILED_VISITORS = 5
# At the end of a process. Docker kills it after 10 seconds.
_END_SECONDS = 8.0
_OUTAGE_SECONDS = 2.5
# Where a request keeps the projects that it is reported to.
_REPORTED = "agent_traffic.reported"
_MAX_CACHED_DECISIONS = 10_000


class AgentTrafficError(Exception):
    """A request that the instance did not answer, or refused. `status` is None when nothing answered."""

    def __init__(self, message, status=None, retry_after=None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after

    @property
    def is_transient(self):
        """Whether the same request may succeed later."""
        return self.status is None or self.status >= 500 or self.status in (408, 409, 425, 429)


class AgentTraffic:
    """A project of an Agent Traffic instance.

    url, token: of the instance and the project; from AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN when left out. Without
        them nothing is reported, and a warning is logged.
    max_queued: visits that wait to be sent, at most. Beyond, the oldest are dropped and counted in `dropped`.
    batch_size, interval: a request is sent for so many visits, or once the first of them waited so many seconds.
    timeout: seconds for a request of the sender.
    redact: names of headers and query parameters that are redacted beside those that look like credentials.
    handle_sigterm: whether SIGTERM sends what is queued before the process ends; only where nothing else handles it.
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
            _log.warning("AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN are not both set: no visits are reported")
        elif not self._url.startswith(("https://", "http://")):
            raise ValueError(f"The address of Agent Traffic must start with https:// or http:// (got {self._url!r})")
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._rules = {}
        self._redact = frozenset(map(_comparable, redact))
        self._sender = _Sender(self._post, self._redacted, max_queued, max(2, batch_size), interval, timeout)
        if self.is_enabled:
            _flush_at_exit(self._sender, handle_sigterm)

    def wsgi(self, app, block=None):
        """Returns the WSGI application, whose visits are reported. `block` is what `AgentTraffic.block` returns."""
        return _Wsgi(self, app, block) if self.is_enabled else app

    def asgi(self, app, block=None):
        """Returns the ASGI application, whose visits are reported. `block` is what `AgentTraffic.block` returns."""
        return _Asgi(self, app, block) if self.is_enabled else app

    def block(self, types, *, unless_verified=True, status=403, timeout=0.5, max_age=60.0):
        """Returns a guard for `wsgi` and `asgi`: it refuses agents of these types with 403 (or 402).

        Each request waits for the instance, for `timeout` seconds at most; a decision holds for `max_age` seconds for the
        same User-Agent and address, unless the request is signed. /robots.txt is always served. Without an answer, only that
        request is let through. After failures of five visitors without a success in between, the instance is not asked
        for 10 seconds.
        """
        if status not in (402, 403):
            raise ValueError(f"status must be 403 or 402 (got {status!r})")
        return _Block(self, frozenset(types), unless_verified, status, timeout, max_age)

    def report(self, visit):
        """Queues a visit: a dict with the fields of `POST /visits`. Returns at once and never raises."""
        if self.is_enabled:
            self._sender.put(visit)

    def flush(self, timeout=10.0):
        """Sends what is queued now. Returns whether all of it was settled within `timeout` seconds."""
        return self._sender.flush(timeout)

    def shutdown(self, timeout=_END_SECONDS):
        """Sends what is queued, for at most 2.5 seconds while the instance is down. Drops later visits. Runs when the process ends."""
        return _end([self._sender], timeout)

    @property
    def dropped(self):
        """Visits that were not recorded: too many were queued, the process ended, or the instance refused them."""
        return self._sender.dropped

    def identify(self, requests, timeout=2.0):
        """Returns who sent a request: a dict with `result`, and if identified `agent_token`, `agent_type_name`, ….

        requests: a dict with `request_headers` and, if known, `client_address` (the connection's peer), or a list of them
        (up to 1,000), which returns a list. Raises AgentTrafficError.
        """
        return self._ask("/agent-identifications", requests, timeout)

    def verify(self, request, timeout=2.0):
        """As `identify`, for one request with its `request_path`, which a signature may cover."""
        return self._ask("/agent-verifications", request, timeout)

    def robots_txt(self, types, *, max_age=3600.0, **options):
        """Returns robots.txt rules for agents of the types, to append to the site's own.

        options: `disallow`, `excluded_agent_tokens`, `excluded_operator_names` and others of `POST /robots-txts`. The
        rules are kept for `max_age` seconds; then the old ones are returned while new ones are fetched in the background.
        Never raises: until the instance has answered once, there are no rules ('').
        """
        return self._cached("/robots-txts", {"agent_types": list(types), **options}, max_age, bytes.decode, "")

    def tokens(self, types, *, max_age=3600.0, **options):
        """Returns the user agent tokens of agents of the types; cached as `robots_txt`. Without an answer, none."""
        return self._cached("/user-agent-token-lists", {"agent_types": list(types), **options}, max_age, json.loads, [])

    def _ask(self, path, body, timeout):
        headers = {"Agent-Traffic-Timeout-Ms": str(round(timeout * 1000))}
        answer = self._post(path, json.dumps(body).encode(), headers, timeout)[1]
        try:
            return json.loads(answer)
        except ValueError as error:
            raise AgentTrafficError(f"{self._url} did not answer with JSON", 200) from error

    def _cached(self, path, body, max_age, parse, nothing):
        if not self.is_enabled:
            return nothing
        key = (path, json.dumps(body, sort_keys=True))
        rules = self._rules.setdefault(key, _Rules(nothing))

        def fetch():
            try:
                rules.value = parse(self._post(path, json.dumps(body).encode(), {}, 2.0)[1])
                rules.fetched_at = time.monotonic()
            except Exception as error:
                _log.warning("could not fetch %s: %s", path, error)

        now = time.monotonic()
        if now - rules.fetched_at < max_age or now - rules.tried_at < _PAUSE_AFTER_FAILURE_SECONDS:
            return rules.value
        rules.tried_at = now
        if rules.fetched_at == float("-inf"):
            fetch()
            return rules.value
        old = rules.value
        threading.Thread(target=fetch, daemon=True).start()
        return old

    def _post(self, path, body, headers, timeout):
        """Returns headers and body of a 2xx answer. Raises AgentTrafficError for everything else."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json", **headers}
        try:
            request = urllib.request.Request(self._url + path, body, headers, method="POST")
            with self._opener.open(request, timeout=timeout) as answer:
                return answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            with error:
                detail = error.read(500).decode(errors="replace")
            raise AgentTrafficError(
                f"{error.code} {detail}", error.code, float(after) if re.fullmatch("[0-9]{1,6}", after) else None
            ) from None
        except Exception as error:
            raise AgentTrafficError(f"no answer from {self._url}: {error}") from error

    def _redacted(self, visit):
        """Returns a visit without the values of headers and query parameters that look like credentials by their names."""

        visit = dict(visit)
        for field in ("request_headers", "response_headers"):
            headers = visit.get(field)
            if headers:
                visit[field] = {
                    name: value if _SIGNED_WITH.match(name) else _without_parameters(value, self._is_secret)
                    for name, value in self._redacted_headers(headers).items()
                }
        visit["request_path"] = _without_parameters(visit.get("request_path", "/"), self._is_secret)[:_MAX_PATH_LENGTH]
        if isinstance(visit.get("request_method"), str):
            visit["request_method"] = visit["request_method"][:_MAX_METHOD_LENGTH]
        return visit

    def _redacted_headers(self, headers):
        if len(headers) > _MAX_HEADERS:
            # Those that identify the sender stay.
            names = sorted(headers, key=lambda name: not _IDENTITY.search(name.lower()))[:_MAX_HEADERS]
            headers = {name: headers[name] for name in names}
        return {name: "[redacted]" if self._is_secret(name) else _cut(value) for name, value in headers.items()}

    def _is_secret(self, name):
        return _is_credential_name(name) or _comparable(name) in self._redact


def _cut(value):
    """Returns a header's value, or each of several, within the limit."""
    if isinstance(value, (list, tuple)):
        return [_cut(item) for item in value[:_MAX_HEADERS]]
    return value[:_MAX_HEADER_LENGTH] if isinstance(value, str) else value


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # a redirect would lose the body and may take the token elsewhere


class _Rules:
    def __init__(self, value):
        self.value = value
        self.fetched_at = self.tried_at = float("-inf")


def _quietly(function):
    """Keeps faults of reporting out of the site."""

    @functools.wraps(function)
    def quiet(*arguments, **options):
        try:
            return function(*arguments, **options)
        except Exception:
            _log.warning("a visit could not be reported", exc_info=True)
            return None

    return quiet


# --- the sender ---


class _Sender:
    """Sends queued visits from a thread of its own, which the first visit of each process starts.

    Its methods that a signal handler calls (`flush`, `begin_end`, `finish_end`) take no lock: the interrupted thread may
    hold it.
    """

    def __init__(self, post, redacted, max_queued, batch_size, interval, timeout):
        self._post = post
        self._redacted = redacted
        self._max_queued = max_queued
        self._batch_size = batch_size
        self._interval = interval
        self._timeout = timeout
        self._reset()
        if hasattr(os, "register_at_fork"):
            # What the parent has queued is the parent's to send.
            reset = weakref.WeakMethod(self._reset)
            os.register_at_fork(after_in_child=lambda: (method := reset()) and method())

    def _reset(self):
        self._visits = collections.deque()
        self._lock = threading.Lock()
        self._wake = queue.SimpleQueue()
        self._thread = None
        self.is_closed = False
        # Until when those who wait for the queue to be sent are patient; None while nobody waits.
        self._hurry_until = None
        self._queued = self._overflowed = self._sent = self._refused = 0
        self._warned_at = float("-inf")
        self._last_error = None
        # Since when the instance does not answer, or can't serve requests; None while it does.
        self._down_since = None
        # The current step of the end of the process, and how long earlier ones waited in vain.
        self._end_began = None
        self._waited = 0.0
        self._dropped_before_end = self._sent_before_end = 0

    @property
    def dropped(self):
        return self._overflowed + self._refused

    @_quietly
    def put(self, visit):
        with self._lock:
            self._queued += 1
            if self.is_closed:
                self._overflowed += 1
                return
            if len(self._visits) >= self._max_queued:
                self._visits.popleft()
                self._overflowed += 1
                self._warn("more than %s visits are waiting: the oldest were dropped", self._max_queued)
            self._visits.append(visit)
            count = len(self._visits)
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(target=self._run, name="agent-traffic", daemon=True)
                thread.start()
                self._thread = thread
        if count == 1 or count % self._batch_size == 0:
            self._wake.put(None)

    def flush(self, timeout):
        target = self._queued
        self._hurry_until = end = time.monotonic() + timeout
        self._wake.put(None)
        while self._sent + self.dropped < target and time.monotonic() < end:
            if self._thread is not None and self._thread.is_alive():
                time.sleep(0.005)
            elif self._visits:
                self._deliver(self._next_batch())
            else:
                break
        self._hurry_until = None
        return self._sent + self.dropped >= target

    def begin_end(self, timeout):
        """Begins a step of the end of the process. `finish_end` waits for it."""
        now = time.monotonic()
        if self._waited == 0 or self._sent > self._sent_before_end:
            self._waited = 0.0
            self._sent_before_end = self._sent
            self._dropped_before_end = self.dropped
        self._end_began = now
        self._hurry_until = now + max(0, timeout - self._waited)
        self._wake.put(None)

    def finish_end(self, closes):
        """Returns whether all is settled. closes: whether later visits are dropped."""
        while self._sent + self.dropped < self._queued and not self._is_over():
            if self._thread is not None and self._thread.is_alive():
                time.sleep(0.005)
            elif self._visits:
                self._deliver(self._next_batch())
            else:
                break
        is_done = self._sent + self.dropped >= self._queued
        self._waited = 0.0 if is_done else self._waited + time.monotonic() - self._end_began
        self.is_closed = closes
        if closes:
            lost = self._queued - self._sent - self._dropped_before_end
            if lost > 0:
                error = f": {self._last_error}" if self._last_error else ""
                _log.warning("%s visits were not sent before the process ended%s", lost, error)
        else:
            self._end_began = self._hurry_until = None
        return is_done

    def _run(self):
        while True:
            if not self._visits:
                self._wake.get()
            end = time.monotonic() + self._interval
            while len(self._visits) < self._batch_size and not self._is_hurried() and time.monotonic() < end:
                self._wait(end - time.monotonic())
            self._deliver(self._next_batch())

    def _is_hurried(self):
        until = self._hurry_until
        return until is not None and time.monotonic() < until

    def _next_batch(self):
        batch = []
        try:
            while len(batch) < self._batch_size:
                batch.append(self._visits.popleft())
        except IndexError:
            pass
        return batch

    def _deliver(self, visits):
        if not visits:
            return
        try:
            body = gzip.compress(json.dumps([self._redacted(visit) for visit in visits], default=str).encode(), 6)
        except Exception as error:
            self._give_up(visits, error)
            return
        key = uuid.uuid4().hex
        headers = {"Content-Encoding": "gzip", "Idempotency-Key": key, "User-Agent": f"agent-traffic-python/{__version__}"}
        attempt = 0
        while True:
            try:
                answer, _ = self._post("/visits", body, headers, self._request_timeout())
                self._down_since = None
                rejected = min(int(answer.get("X-Visits-Rejected") or 0), len(visits))
                self._sent += len(visits) - rejected
                self._refused += rejected
                return
            except AgentTrafficError as error:
                is_down = error.status is None or error.status >= 500
                self._down_since = (self._down_since or time.monotonic()) if is_down else None
                if error.status == 413 and len(visits) > 1:
                    middle = len(visits) // 2
                    self._deliver(visits[:middle])
                    self._deliver(visits[middle:])
                    return
                # These are the oldest: beyond the bound they are the first to go.
                if not error.is_transient or self._is_over() or len(self._visits) >= self._max_queued:
                    self._give_up(visits, error)
                    return
                self._last_error = error
                self._warn("visits could not be sent, and will be tried again: %s", error)
                self._pause(_delay(attempt, error.retry_after))
                attempt += 1

    def _request_timeout(self):
        until = self._hurry_until
        return self._timeout if until is None else max(0.1, min(self._timeout, until - time.monotonic()))

    def _is_over(self):
        """Whether the process doesn't wait any longer for what is queued."""
        if self._end_began is None:
            return False
        outage = self._down_since
        until = self._hurry_until
        if outage is not None:
            until = min(until, max(outage, self._end_began) + _OUTAGE_SECONDS - self._waited)
        return time.monotonic() >= until

    def _give_up(self, visits, error):
        self._refused += len(visits)
        self._last_error = error
        # At the end, all are counted in one warning.
        if self._end_began is None:
            self._warn("%s visits were dropped: %s", len(visits), error)

    def _warn(self, message, *arguments):
        """Logs a warning, but not more than one a minute."""
        now = time.monotonic()
        if now - self._warned_at >= 60:
            self._warned_at = now
            _log.warning(message, *arguments)

    def _pause(self, seconds):
        """Waits, but not for long when somebody waits for the queue to be sent."""
        end = time.monotonic() + seconds
        was_hurried = self._is_hurried()
        while True:
            is_hurried = self._is_hurried()
            left = (min(end, end - seconds + 1) if is_hurried else end) - time.monotonic()
            if left <= 0 or is_hurried != was_hurried:
                return
            self._wait(left)

    def _wait(self, seconds):
        """Waits until something happens, or so long."""
        try:
            self._wake.get(timeout=max(0, seconds))
        except queue.Empty:
            pass


def _delay(attempt, retry_after):
    """Seconds before the next attempt."""
    if retry_after is not None:
        return min(retry_after, _MAX_RETRY_AFTER_SECONDS) * (1 + random.random() / 4)
    return min(_MAX_RETRY_DELAY_SECONDS, 0.5 * 2 ** min(attempt, 10)) * (0.75 + random.random() / 2)


_senders = weakref.WeakSet()


def _end(senders, timeout=None, closes=True):
    """Sends what is queued before the process ends, all at once. Several steps of the same end share the time."""
    for sender in senders:
        sender.begin_end(_END_SECONDS if timeout is None else timeout)
    return all([sender.finish_end(closes) for sender in senders])


def _shut_down_all():
    _end([sender for sender in list(_senders) if not sender.is_closed])


def _on_sigterm(number, _):
    _shut_down_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _flush_at_exit(sender, handle_sigterm):
    if not _senders:
        atexit.register(_shut_down_all)
    _senders.add(sender)
    is_main = threading.current_thread() is threading.main_thread()
    # Servers with a handler of their own end in an orderly way, which is what atexit is for.
    if handle_sigterm and is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _on_sigterm)


# --- a request and its response ---


class _Exchange:
    """A request that is being answered. It is reported once, by the first client for a project that sees it."""

    def __init__(self, traffic, request, reported):
        self._traffic = traffic
        self._visit = request
        self._started = time.monotonic()
        project = (traffic._url, traffic._token)
        self._is_reported = project in reported
        reported.add(project)

    @_quietly
    def respond(self, status, headers):
        self._visit["response_status_code"] = int(str(status)[:3])
        self._visit["response_headers"] = _headers(headers)

    def fail(self):
        """The application raised before it sent anything: its server answers with 500."""
        self._visit["response_status_code"] = 500
        self._visit.pop("response_headers", None)
        self.end()

    @_quietly
    def end(self, is_aborted=False):
        if self._is_reported:
            return
        self._is_reported = True
        self._visit["response_duration_in_milliseconds"] = round((time.monotonic() - self._started) * 1000, 3)
        if is_aborted:
            self._visit["response_aborted"] = True
        self._traffic.report(self._visit)


def _request(path, method, headers, client_address):
    request = {
        "request_path": path,
        "request_method": method,
        "request_headers": headers,
        "created": datetime.now(timezone.utc).isoformat(),
    }
    address = _address(client_address)
    if address is not None:
        request["client_address"] = address
    return request


def _address(text):
    """Returns an address without its zone, or None: servers behind a Unix socket have none."""
    try:
        address = str(text).split("%", 1)[0]
        ipaddress.ip_address(address)
        return address
    except ValueError:
        return None


def _headers(pairs):
    """Returns headers by name; a name that comes more than once has a list of values."""
    headers = {}
    for name, value in pairs:
        known = headers.get(name)
        headers[name] = value if known is None else [*known, value] if isinstance(known, list) else [known, value]
    return headers


def _quoted(path):
    return urllib.parse.quote(path, safe="/!$&'()*+,;=:@~", encoding="latin-1", errors="replace")


def _quoted_text(path):
    return urllib.parse.quote(path, safe="/!$&'()*+,;=:@~", errors="surrogatepass")


class _Block:
    """Decides whether a request is refused."""

    def __init__(self, traffic, types, unless_verified, status, timeout, max_age):
        self.status = status
        self._traffic = traffic
        self._types = types
        self._unless_verified = unless_verified
        self._timeout = timeout
        self._max_age = max_age
        self._decisions = {}
        self._failed_visitors = set()
        self._asks_from = float("-inf")

    def cached(self, request):
        """Returns the decision, or None when the instance has to be asked."""
        if request["request_path"].split("?", 1)[0] == "/robots.txt" or time.monotonic() < self._asks_from:
            return False
        decision, until = self._decisions.get(self._key(request), (None, 0.0))
        return decision if time.monotonic() < until else None

    def refuses(self, request):
        """Returns whether the request is refused; asks the instance unless the decision is cached."""
        try:
            decision = self.cached(request)
            return self._asked(request) if decision is None else decision
        except Exception as error:
            # Any other status is about this request.
            if isinstance(error, AgentTrafficError) and (error.status is None or error.status >= 500):
                self._fail(request)
            _log.warning("a request was let through: %s", error)
            return False

    def _fail(self, request):
        if len(self._failed_visitors) < _MAX_FAILED_VISITORS:
            self._failed_visitors.add(_visitor(request))
        if len(self._failed_visitors) == _MAX_FAILED_VISITORS:
            self._asks_from = time.monotonic() + _PAUSE_AFTER_FAILURE_SECONDS

    def _asked(self, request):
        # The path stays as it is: a signature may cover its query.
        question = {
            "request_path": request["request_path"][:_MAX_PATH_LENGTH],
            "request_method": request["request_method"],
            "request_headers": self._traffic._redacted_headers(request["request_headers"]),
        }
        if "client_address" in request:
            question["client_address"] = request["client_address"]
        started = time.monotonic()
        verdict = self._traffic.verify(question, self._timeout)
        self._failed_visitors.clear()
        decision = verdict.get("agent_type_name") in self._types and not (
            self._unless_verified and verdict["result"] == "verified"
        )
        key = self._key(request)
        # The instance may still be looking up what it could not find out in time.
        is_final = verdict["result"] != "not_verifiable" or time.monotonic() - started < self._timeout / 2
        if key is not None and is_final:
            if len(self._decisions) >= _MAX_CACHED_DECISIONS:
                self._decisions.clear()
            self._decisions[key] = (decision, time.monotonic() + self._max_age)
        return decision

    @staticmethod
    def _key(request):
        """What a decision depends on; None for signed requests, of which each has to be judged."""
        headers = request["request_headers"]
        if "signature" in headers:
            return None
        identity = [(name, str(value)) for name, value in headers.items() if _IDENTITY.search(name)]
        # Its hash: visitors can send long headers, and ten thousand of them are kept.
        return hashlib.sha256(repr((request.get("client_address"), *sorted(identity))).encode(errors="backslashreplace")).digest()


_IDENTITY = re.compile("^(user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$")
# Peers that are proxies of the site.
_PROXY = re.compile(
    r"(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|::1$|f[cd]|fe[89ab]", re.IGNORECASE
)


def _visitor(request):
    """Returns something that a visitor can't choose freely: the peer, or the address that the nearest proxy added; of IPv6
    addresses the /48. Without any address it's the user agent."""
    headers = request["request_headers"]
    peer = request.get("client_address")
    if peer is None or _PROXY.match(peer):
        forwarded = headers.get("x-forwarded-for") or headers.get("forwarded") or headers.get("x-real-ip") or ""
        peer = str(forwarded[-1] if isinstance(forwarded, list) else forwarded).rsplit(",", 1)[-1].strip()
    try:
        address = ipaddress.ip_address(peer)
        return ipaddress.ip_network((address, 48 if address.version == 6 else 32), strict=False)
    except ValueError:
        return peer or str(headers.get("user-agent"))
_REFUSALS = {402: "Payment Required", 403: "Forbidden"}


# --- WSGI ---


class _Wsgi:
    def __init__(self, traffic, app, block):
        self._traffic = traffic
        self._app = app
        self._block = block

    def __call__(self, environ, start_response):
        request = _wsgi_request(environ)
        if request is None:
            return self._app(environ, start_response)
        exchange = _Exchange(self._traffic, request, environ.setdefault(_REPORTED, set()))
        if self._block is not None and self._block.refuses(request):
            return self._refuse(exchange, start_response)

        def start(status, headers, *exc_info):
            exchange.respond(status, headers)
            return start_response(status, headers, *exc_info)

        try:
            body = self._app(environ, start)
            if _is_file(body, environ) and _ends_on_close(body, exchange):
                return body
            return (_SizedBody if hasattr(body, "__len__") else _Body)(body, exchange)
        except BaseException:
            exchange.fail()
            raise

    def _refuse(self, exchange, start_response):
        text = _REFUSALS[self._block.status]
        headers = [("Content-Type", "text/plain"), ("Cache-Control", "no-store"), ("Content-Length", str(len(text) + 1))]
        exchange.respond(self._block.status, headers)
        exchange.end()
        start_response(f"{self._block.status} {text}", headers)
        return [f"{text}\n".encode()]


class _Body:
    """The body of a response; its end is that of the exchange."""

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
            piece = next(self._iterator)
        except StopIteration:
            self._is_complete = True
            raise
        except BaseException:
            if not self._is_started:
                self._exchange.fail()
            raise
        self._is_started = self._is_started or bool(piece)
        return piece

    def close(self):
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._exchange.end(is_aborted=not self._is_complete)


class _SizedBody(_Body):
    """Servers set Content-Length from the length of a body of one piece."""

    def __len__(self):
        return len(self._body)


def _is_file(body, environ):
    wrapper = environ.get("wsgi.file_wrapper")
    return isinstance(wrapper, type) and isinstance(body, wrapper)


def _ends_on_close(body, exchange):
    """Leaves the body what it is, so that the server can use sendfile. Returns whether it took the hook."""
    close = getattr(body, "close", None)

    def closed():
        try:
            if close is not None:
                close()
        finally:
            exchange.end()

    try:
        body.close = closed
        return True
    except AttributeError:
        return False


@_quietly
def _wsgi_request(environ):
    headers = {
        name[5:].replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") and isinstance(value, str)
    }
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            headers[name.replace("_", "-").lower()] = environ[name]
    # As it was sent, where the server says so: what is unquoted cannot be quoted again for certain.
    path = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    if not path.startswith("/"):
        query = environ.get("QUERY_STRING")
        path = _quoted(environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")) or "/"
        path += f"?{query}" if query else ""
    return _request(path, environ["REQUEST_METHOD"], headers, environ.get("REMOTE_ADDR"))


# --- ASGI ---


class _Asgi:
    def __init__(self, traffic, app, block):
        self._traffic = traffic
        self._app = app
        self._block = block

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        request = _asgi_request(scope) if scope["type"] == "http" else None
        if request is None:
            await self._app(scope, receive, send)
            return
        scope = {**scope, _REPORTED: scope.get(_REPORTED) or set()}
        exchange = _Exchange(self._traffic, request, scope[_REPORTED])
        if self._block is not None and await self._refuses(request):
            await self._refuse(exchange, send)
            return
        is_started = is_disconnected = False

        async def receive_on():
            nonlocal is_disconnected
            message = await receive()
            is_disconnected = is_disconnected or message["type"] == "http.disconnect"
            return message

        async def send_on(message):
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                exchange.respond(message["status"], _decoded(message.get("headers", ())))
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                exchange.end(is_aborted=is_disconnected)

        try:
            await self._app(scope, receive_on, send_on)
        except asyncio.CancelledError:
            # The server cancels requests whose client has left.
            raise
        except BaseException:
            if not is_started and not is_disconnected:
                exchange.fail()
            raise
        finally:
            exchange.end(is_aborted=True)

    async def _refuses(self, request):
        try:
            decision = self._block.cached(request)
            if decision is None:
                loop = asyncio.get_running_loop()
                decision = await loop.run_in_executor(None, self._block.refuses, request)
            return decision
        except Exception:
            _log.warning("a request was let through", exc_info=True)
            return False

    async def _refuse(self, exchange, send):
        text = _REFUSALS[self._block.status]
        headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
        exchange.respond(self._block.status, _decoded(headers))
        exchange.end()
        await send({"type": "http.response.start", "status": self._block.status, "headers": headers})
        await send({"type": "http.response.body", "body": f"{text}\n".encode()})

    async def _live(self, scope, receive, send):
        """Passes on the server's start and end, and sends what is queued before it ends."""
        has_received = False

        async def receive_on():
            nonlocal has_received
            has_received = True
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._flush()
            return message

        try:
            await self._app(scope, receive_on, send)
        except Exception:
            if has_received:
                raise
            # The application doesn't know of it. The server waits for the end of what is queued all the same.
            await receive_on()
            await send({"type": "lifespan.startup.complete"})
            await receive_on()
            await send({"type": "lifespan.shutdown.complete"})

    async def _flush(self):
        try:
            end = functools.partial(_end, [self._traffic._sender], closes=False)
            await asyncio.get_running_loop().run_in_executor(None, end)
        except Exception:
            _log.warning("queued visits could not be sent", exc_info=True)


@_quietly
def _asgi_request(scope):
    raw = scope.get("raw_path")
    path = raw.decode("latin-1").split("?", 1)[0] if raw else _quoted_text(scope["path"])
    query = scope.get("query_string", b"").decode("latin-1")
    client = scope.get("client")
    headers = _headers(_decoded(scope["headers"]))
    return _request(path + (f"?{query}" if query else ""), scope["method"], headers, client and client[0])


def _decoded(headers):
    return [(bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in headers]


# --- credentials, which don't leave the site ---

# The rule for names is the one the instance applies. It looks at values, too, before it stores anything.
_HARMLESS = frozenset(
    "signature signature-input signature-agent accept-signature :authority authority sec-websocket-key "
    "sec-websocket-accept idempotency-key surrogate-key cache-key www-authenticate proxy-authenticate "
    "access-control-allow-credentials".split()
)
_PAYMENT = frozenset("cvc cvc2 cvv cvv2 pan card-number cardnumber iban".split())
_FRAGMENT = re.compile(
    "token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|bearer|"
    "assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|magic-?link|captcha|"
    "turnstile|macaroon|unsubscribe"
)
_AUTHOR = re.compile("author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)")
_WORD = re.compile(
    "(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|"
    "cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)"
)
# Codes and links that are sent to one person for one use.
_ONE_TIME = re.compile(
    "(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|backup|"
    "invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|unlock|approval|"
    "registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|verify|verification|"
    "confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])"
)
_ONE_TIME_PARAMETER = re.compile(
    "invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|(?:^|"
    "[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|sso)(?:[^a-z]|$)|"
    "hash(?:[^a-z]|$)"
)
_PARAMETERS = frozenset(
    "code state relaystate oauth-state wresult wctx signature sign hdnts hdnea hdntl --gda--".split()
)
_CAMEL = re.compile("([a-z0-9])([A-Z])")
_PARAMETER = re.compile("(?<=[?&;#])([^=&;#?]*)=([^&;#]*)")
# Headers of RFC 9421: with another value, a signature would not verify.
_SIGNED_WITH = re.compile("(?:signature(?:-input|-agent)?|content-digest)$", re.IGNORECASE)


def _comparable(name):
    return name.strip().lower().replace("_", "-").replace(" ", "-")


@functools.lru_cache(maxsize=2_000)
def _is_credential_name(name):
    plain = _comparable(name)
    if plain in _HARMLESS:
        return False
    rest = _AUTHOR.sub("-", plain)
    return (
        plain in _PAYMENT
        or _FRAGMENT.search(rest) is not None
        or _WORD.search(rest) is not None
        or _ONE_TIME.search(rest) is not None
        or _WORD.search(_separated(name)) is not None
    )


@functools.lru_cache(maxsize=2_000)
def _is_credential_parameter(name):
    plain = _comparable(name)
    return (
        plain in _PARAMETERS
        or _ONE_TIME_PARAMETER.search(plain) is not None
        or _ONE_TIME_PARAMETER.search(_separated(name)) is not None
    )


def _separated(name):
    return _comparable(_CAMEL.sub(r"\1-\2", name))


def _without_parameters(value, is_secret):
    """Returns the text of a path or header without the values of query parameters that are credentials."""
    if isinstance(value, list):
        return [_without_parameters(item, is_secret) for item in value]
    if not isinstance(value, str) or "=" not in value or not ("?" in value or "#" in value):
        return value

    def replaced(match):
        name = urllib.parse.unquote(match[1])
        return f"{match[1]}=[redacted]" if _is_credential_parameter(name) or is_secret(name) else match[0]

    return _PARAMETER.sub(replaced, value)

"""What schemathesis cannot know: who calls, ids that exist, and texts that hurt."""

import base64
import copy
import json
import os
import re
import zlib

import schemathesis

PATH_PARAMETERS = json.loads(os.environ["FUZZ_PARAMETERS"])
# Headers that somebody sends, by who it is.
CALLERS = json.loads(os.environ["FUZZ_CALLERS"])
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NOBODY = "00000000-0000-4000-8000-000000000000"
# The range of ECMAScript's dates is wider than PostgreSQL's; years beyond 9999 are written with a sign.
TIMES = ["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
CURSORS = [
    base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    for text in [
        *(
            json.dumps({"side": side, "occurredAt": time, "id": NOBODY})
            for side in ("<", ">")
            for time in (-999999999999999, 999999999999999, 1e308)
        ),
        *(json.dumps({"failedAt": time, "id": NOBODY}) for time in TIMES),
        *(f"{side} {time} {NOBODY}" for side in "<>" for time in ("-999999999999999", "999999999999999")),
        *(f"{time} {id}" for time in TIMES for id in (NOBODY, "-" * 36)),
        *("\0", "< 0 \0", "[]", "null", '{"__proto__":1}', "-1", "9" * 400),
    ]
]
# What an address can carry, and what only JSON can. Lone surrogates are for the test of hostile values: Python's tools
# do not take them.
TEXTS = ["\0", "a\0b", "\x1b[2J", "\u202e", "\ufffe", "__proto__", "constructor", "x" * 5_000, "%", "[", "\\", *TIMES]
BODY_TEXTS = [*TEXTS, "\0", "a\0b", "https://a\0.example/", "https://[::", "x" * 100_000]


FILES = ["..", "..\\x", "....//x", "../../x", "x/../../y", "\0", "a\0b", ".", "//", "%2e%2e"]
HOSTS = ["[", "[::", "]", "\\", "%", "@", "#", "a b", "a:99999", "a@b", "."]


def number_of(*values):
    """A number that stands for the values: the same in each run of a seed."""
    return zlib.crc32(repr(values).encode())


def texts_in(body, path=()):
    """The paths of all texts in a body, names of members aside."""
    if isinstance(body, str):
        yield path
    elif isinstance(body, dict):
        for key, value in body.items():
            yield from texts_in(value, (*path, key))
    elif isinstance(body, list):
        for index, value in enumerate(body):
            yield from texts_in(value, (*path, index))


def with_text(body, path, text):
    """The body with another text at a path."""
    if not path:
        return text
    changed = copy.copy(body)
    changed[path[0]] = with_text(body[path[0]], path[1:], text)
    return changed


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives a case its caller, and changes a share of the cases: which one and how follows from the case itself."""
    path = case.operation.path
    number = number_of(path, case.path_parameters, case.query, case.body)
    for name, value in (case.path_parameters or {}).items():
        known = PATH_PARAMETERS.get(f"{path} {name}", PATH_PARAMETERS.get(name))
        # Some UUIDs stay, since they lead to nothing.
        if name == "file":
            case.path_parameters[name] = FILES[number // 3 % len(FILES)] if number % 3 else value
        elif known and isinstance(value, str) and UUID.fullmatch(value) and number % 8:
            case.path_parameters[name] = known
    if case.query and number % 2:
        name = sorted(case.query)[number % len(case.query)]
        case.query[name] = TEXTS[number // 3 % len(TEXTS)]
    if "cursor" in (case.query or {}) and number % 8:
        case.query["cursor"] = CURSORS[number // 3 % len(CURSORS)]
    paths = list(texts_in(case.body))
    if paths and number % 3:
        case.body = with_text(case.body, paths[number // 3 % len(paths)], BODY_TEXTS[number // 7 % len(BODY_TEXTS)])
    if "Host" in case.headers:
        case.headers["Host"] = HOSTS[number % len(HOSTS)]
    callers = case.operation.definition.raw["x-callers"]
    caller = callers[number % len(callers)]
    case.headers.update(CALLERS[caller], **{"X-Caller": caller})
    # Attempts are limited by address: the limit has tests of its own, and would hide what comes after it.
    case.headers["X-Forwarded-For"] = f"198.18.{number >> 8 & 255}.{number & 255}"


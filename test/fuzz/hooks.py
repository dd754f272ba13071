"""schemathesis hooks that add credentials, existing IDs and hostile values to generated requests."""

import base64
import copy
import json
import os
import re
import zlib

import schemathesis

PATH_PARAMETERS = json.loads(os.environ["FUZZ_PARAMETERS"])
# Authentication headers by caller.
CALLERS = json.loads(os.environ["FUZZ_CALLERS"])
UUID_PATTERN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"
# JavaScript supports a wider range of dates than PostgreSQL. Years outside of 0 to 9999 have a sign.
EXTREME_TIMES = ["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
CURSORS = [
    base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    for text in [
        *(
            json.dumps({"side": side, "occurredAt": time, "id": UNKNOWN_ID})
            for side in ("<", ">")
            for time in (-999999999999999, 999999999999999, 1e308)
        ),
        *(json.dumps({"failedAt": time, "id": UNKNOWN_ID}) for time in EXTREME_TIMES),
        *(f"{side} {time} {UNKNOWN_ID}" for side in "<>" for time in ("-999999999999999", "999999999999999")),
        *(f"{time} {id}" for time in EXTREME_TIMES for id in (UNKNOWN_ID, "-" * 36)),
        *("\0", "< 0 \0", "[]", "null", '{"__proto__":1}', "-1", "9" * 400),
    ]
]
# Lone surrogates are missing because Python can't encode them as UTF-8. test/hostile covers them.
QUERY_VALUES = [
    *("\0", "a\0b", "\x1b[2J", "\u202e", "\ufffe", "__proto__", "constructor", "x" * 5_000, "%", "[", "\\"),
    *EXTREME_TIMES,
]
BODY_VALUES = [*QUERY_VALUES, "\0", "a\0b", "https://a\0.example/", "https://[::", "x" * 100_000]
FILE_NAMES = ["..", "..\\x", "....//x", "../../x", "x/../../y", "\0", "a\0b", ".", "//", "%2e%2e"]
HOSTS = ["[", "[::", "]", "\\", "%", "@", "#", "a b", "a:99999", "a@b", "."]


def hash_values(*values):
    """Returns a hash of the values that doesn't change between runs, unlike Python's own `hash`."""
    return zlib.crc32(repr(values).encode())


def find_strings(body, path=()):
    """Yields the path of every string value in a JSON body, as a tuple of keys and indexes."""
    if isinstance(body, str):
        yield path
    elif isinstance(body, dict):
        for key, value in body.items():
            yield from find_strings(value, (*path, key))
    elif isinstance(body, list):
        for index, value in enumerate(body):
            yield from find_strings(value, (*path, index))


def replace_string(body, path, replacement):
    """Returns a copy of a JSON body in which the string at the path is replaced."""
    if not path:
        return replacement
    changed = copy.copy(body)
    changed[path[0]] = replace_string(body[path[0]], path[1:], replacement)
    return changed


@schemathesis.hook
def before_call(context, case, kwargs):
    """Adds a caller's credentials and replaces some values. The replacements depend only on a hash of the case."""
    operation_path = case.operation.path
    case_hash = hash_values(operation_path, case.path_parameters, case.query, case.body)
    for name, value in (case.path_parameters or {}).items():
        existing_id = PATH_PARAMETERS.get(f"{operation_path} {name}", PATH_PARAMETERS.get(name))
        # Leave some of the generated UUIDs, to cover IDs that don't exist.
        if name == "file":
            case.path_parameters[name] = FILE_NAMES[case_hash // 3 % len(FILE_NAMES)] if case_hash % 3 else value
        elif existing_id and isinstance(value, str) and UUID_PATTERN.fullmatch(value) and case_hash % 8:
            case.path_parameters[name] = existing_id
    if case.query and case_hash % 2:
        name = sorted(case.query)[case_hash % len(case.query)]
        case.query[name] = QUERY_VALUES[case_hash // 3 % len(QUERY_VALUES)]
    if "cursor" in (case.query or {}) and case_hash % 8:
        case.query["cursor"] = CURSORS[case_hash // 3 % len(CURSORS)]
    string_paths = list(find_strings(case.body))
    if string_paths and case_hash % 3:
        replacement = BODY_VALUES[case_hash // 7 % len(BODY_VALUES)]
        case.body = replace_string(case.body, string_paths[case_hash // 3 % len(string_paths)], replacement)
    if "Host" in case.headers:
        case.headers["Host"] = HOSTS[case_hash % len(HOSTS)]
    callers = case.operation.definition.raw["x-callers"]
    caller = callers[case_hash % len(callers)]
    case.headers.update(CALLERS[caller], **{"X-Caller": caller})
    # Sign-in attempts are limited by client address. Vary the address, because 429 responses would hide other errors.
    case.headers["X-Forwarded-For"] = f"198.18.{case_hash >> 8 & 255}.{case_hash & 255}"

"""ClickHouse HTTP server on localhost, backed by the embedded engine.

Implements the requests that the official clients send, except sessions, external tables, and ClickHouse's own
compression. Each request has its own connection to the engine, so settings and the database apply to one query only,
and queries run concurrently. Prints the port once the server accepts connections. SIGTERM stops it after running queries
have finished.
"""

import argparse
import base64
import gzip
import json
import re
import signal
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.state import connect

# A server's default of http_max_field_value_size, in bytes.
MAX_FIELD_BYTES = 131_072
# URL parameters that aren't settings.
PROTOCOL_PARAMETERS = {
    "buffer_size",
    "database",
    "default_format",
    "password",
    "query",
    "query_id",
    "role",
    "user",
    "wait_end_of_query",
}
UNSUPPORTED_PARAMETERS = {"compress", "decompress", "session_id"}
# Settings whose defaults in the embedded engine differ from a server's.
SERVER_DEFAULTS = {"allow_introspection_functions": "0", "implicit_select": "0"}
# With the embedded engine's default of 2, a mutation takes 0.1 s per part of the table.
BACKGROUND_POOL_SIZE = 16
FORMAT = re.compile(r"\sFORMAT\s+(\w+)(\s+SETTINGS\s[^;]*)?[\s;]*$", re.IGNORECASE)
INSERT = re.compile(r"\s*(--[^\n]*\n\s*|/\*.*?\*/\s*)*INSERT\s", re.IGNORECASE | re.DOTALL)
# HTTP statuses by error code. For all other codes, the status is 500.
# https://github.com/ClickHouse/ClickHouse/blob/master/src/Server/HTTP/exceptionCodeToHTTPStatus.cpp
STATUSES = {
    **dict.fromkeys([6, 8, 15, 16, 25, 26, 27, 36, 38, 41, 44, 53, 62, 72, 117, 167, 168, 376, 427], 400),
    **dict.fromkeys([46, 47, 50, 56, 60, 63, 73, 78, 81, 115], 404),
    **dict.fromkeys([192, 193, 497, 516], 403),
    48: 501,
    159: 408,
    194: 401,
    209: 503,
}


class ClickHouseError(Exception):
    """Error as clients expect it: code, message, and name, for example `SYNTAX_ERROR`."""

    def __init__(self, code: int, message: str, name: str):
        super().__init__(f"Code: {code}. DB::Exception: {message} ({name})")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder: str, port: int, user: str, password: str):
        self.folder = f"{folder}?background_pool_size={BACKGROUND_POOL_SIZE}"
        self.credentials = (user, password)
        # The engine runs for as long as a connection is open.
        self.engine = connect(self.folder)
        self.version = self.engine.query("SELECT version()", "TSVRaw").bytes().decode().strip()
        self.changed = threading.Condition()
        self.running_queries = 0
        self.is_stopping = False
        super().__init__(("127.0.0.1", port), Handler)

    def run(
        self,
        query: str,
        data: bytes,
        output_format: str,
        params: dict[str, str],
        settings: dict[str, str],
        database: str,
    ):
        """Runs a statement. `data` are the rows of an INSERT. Raises RuntimeError with ClickHouse's error text."""
        with self.changed:
            if self.is_stopping:
                raise ClickHouseError(394, "The server is stopping.", "QUERY_WAS_CANCELLED")
            self.running_queries += 1
        try:
            connection = connect(self.folder)
            try:
                values = {**SERVER_DEFAULTS, **settings}
                connection.query("SET " + ", ".join(f"{name} = {quote(value)}" for name, value in values.items()))
                connection.query(f"USE {quote(database, '`')}")
                # A server rejects multiple statements, but the embedded engine runs them.
                if ";" in query and not INSERT.match(query):
                    connection.query(f"SELECT formatQuery({quote(query)})")
                statement = query.encode() + (b"\n" + data if data else b"")
                return connection.query(statement, output_format, params=params)
            finally:
                connection.close()
        finally:
            with self.changed:
                self.running_queries -= 1
                self.changed.notify_all()

    def stop(self):
        """Finishes running queries and closes the engine."""
        self.shutdown()
        with self.changed:
            self.is_stopping = True
            self.changed.wait_for(lambda: self.running_queries == 0)
        self.engine.close()


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    # Without a buffer, headers and body are sent separately, and Nagle's algorithm delays the body.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            self.respond(200, b"Ok.\n", {})
        else:
            self.do_POST()

    def do_POST(self):
        try:
            body = self.read_body()
            parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
            content_type = self.headers.get("Content-Type", "")
            if content_type.startswith("multipart/form-data"):
                parameters.update(parse_form(body, content_type))
                body = b""
            if any(len(value.encode()) > MAX_FIELD_BYTES for value in parameters.values()):
                raise ClickHouseError(1000, "HTML Form Exception: Field value is too long", "POCO_EXCEPTION")
            self.authenticate(parameters)
            self.run_query(parameters, body)
        except Exception as error:
            self.respond_with_error(str(error))

    def read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            chunks = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                chunks.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            body = b"".join(chunks)
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        encoding = self.headers.get("Content-Encoding", "identity")
        if encoding == "gzip":
            return gzip.decompress(body)
        if encoding != "identity":
            raise ClickHouseError(48, f"Content-Encoding {encoding} is not supported.", "NOT_IMPLEMENTED")
        return body

    def authenticate(self, parameters: dict[str, str]):
        user = self.headers.get("X-ClickHouse-User", parameters.get("user", "default"))
        password = self.headers.get("X-ClickHouse-Key", parameters.get("password", ""))
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme == "Basic":
            user, _, password = base64.b64decode(token).decode().partition(":")
        if (user, password) != self.server.credentials:
            message = f"{user}: Authentication failed: password is incorrect, or there is no user with such name."
            raise ClickHouseError(516, message, "AUTHENTICATION_FAILED")

    def run_query(self, parameters: dict[str, str], body: bytes):
        unsupported = UNSUPPORTED_PARAMETERS.intersection(parameters)
        if unsupported:
            raise ClickHouseError(48, f"Not supported: {', '.join(unsupported)}.", "NOT_IMPLEMENTED")
        if "query" in parameters:
            query, data = parameters["query"], body
        else:
            query, data = body.decode(), b""
        output_format = parameters.get("default_format") or self.headers.get("X-ClickHouse-Format", "TabSeparated")
        explicit_format = FORMAT.search(query)
        started = time.monotonic_ns()
        result = self.server.run(
            query,
            data,
            output_format,
            {name.removeprefix("param_"): value for name, value in parameters.items() if name.startswith("param_")},
            {
                name: value
                for name, value in parameters.items()
                if name not in PROTOCOL_PARAMETERS and not name.startswith("param_")
            },
            parameters.get("database") or self.headers.get("X-ClickHouse-Database", "default"),
        )
        content = result.bytes()
        summary = {
            "read_rows": result.storage_rows_read(),
            "read_bytes": result.storage_bytes_read(),
            "written_rows": result.rows_written(),
            "written_bytes": result.bytes_written(),
            "result_rows": result.rows_read(),
            "result_bytes": len(content),
            "elapsed_ns": time.monotonic_ns() - started,
        }
        headers = {
            "X-ClickHouse-Query-Id": parameters.get("query_id") or str(uuid.uuid4()),
            "X-ClickHouse-Format": explicit_format[1] if explicit_format else output_format,
            "X-ClickHouse-Summary": json.dumps({name: str(value) for name, value in summary.items()}),
        }
        self.respond(200, content, headers)

    def respond_with_error(self, text: str):
        match = re.search(r"Code: (\d+)\. DB::Exception: ", text)
        code = int(match[1]) if match else 1002
        if match is None:
            text = f"Code: {code}. DB::Exception: {text} (UNKNOWN_EXCEPTION)"
        if "(version " not in text:
            text += f" (version {self.server.version} (official build))"
        self.respond(STATUSES.get(code, 500), f"{text}\n".encode(), {"X-ClickHouse-Exception-Code": str(code)})

    def respond(self, status: int, content: bytes, headers: dict[str, str]):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=UTF-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Logs nothing."""


def quote(text: str, mark: str = "'") -> str:
    return mark + text.replace("\\", "\\\\").replace(mark, "\\" + mark) + mark


def parse_form(body: bytes, content_type: str) -> dict[str, str]:
    """Returns the fields of a multipart form. https://www.rfc-editor.org/rfc/rfc7578"""
    boundary = content_type.partition("boundary=")[2].strip('"').encode()
    fields = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary)[1:-1]:
        headers, _, value = part.partition(b"\r\n\r\n")
        fields[re.search(rb'[; ]name="([^"]*)"', headers)[1].decode()] = value.decode()
    return fields


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="data folder")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: any free port)")
    parser.add_argument("--user", default="default")
    parser.add_argument("--password", default="")
    options = parser.parse_args()
    server = Server(options.folder, options.port, options.user, options.password)
    # `shutdown` waits for `serve_forever`, which runs in this thread.
    stopping = threading.Thread(target=server.stop)
    signal.signal(signal.SIGTERM, lambda *_: stopping.start())
    print(server.server_port, flush=True)
    server.serve_forever(poll_interval=0.05)
    stopping.join()


if __name__ == "__main__":
    main()

"""Test site for WSGI servers. As a script, it runs on wsgiref and requires a port as its argument."""

import json
import sys
import time
from wsgiref.simple_server import make_server

from agent_traffic import AgentTraffic

traffic = AgentTraffic(interval=0.1)


def site(environ, start_response):
    path = environ["PATH_INFO"]
    if path.endswith("/broken"):
        raise RuntimeError("broken")
    status = "418 I am a teapot" if path.endswith("/tea") else "200 OK"
    start_response(status, [("Content-Type", "text/plain"), ("Set-Cookie", "a=b")])
    return generate_endless_body() if path.endswith("/endless") else [respond(path).encode()]


def respond(path):
    if path.endswith("/robots.txt"):
        return traffic.robots_txt(["AI Data Scraper"])
    if path.endswith("/tokens"):
        return json.dumps(traffic.tokens(["AI Data Scraper"]))
    if path.endswith("/identify"):
        return json.dumps(traffic.identify({"request_headers": {"user-agent": "GPTBot/1.2"}, "client_address": "192.0.2.1"}))
    return "page"


def generate_endless_body():
    while True:
        yield b"more" * 10_000
        time.sleep(0.001)


unguarded_site = traffic.wsgi(site)
guarded_site = traffic.wsgi(site, block=traffic.block(["AI Data Scraper"], status=402))


def application(environ, start_response):
    return (guarded_site if "/guarded" in environ["PATH_INFO"] else unguarded_site)(environ, start_response)


if __name__ == "__main__":
    make_server("127.0.0.1", int(sys.argv[1]), application).serve_forever()

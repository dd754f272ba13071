"""Test site for ASGI servers."""

import asyncio
import json

from agent_traffic import AgentTraffic

traffic = AgentTraffic(interval=0.1)


async def site(scope, receive, send):
    assert scope["type"] == "http"
    path = scope["path"]
    if path.endswith("/broken"):
        raise RuntimeError("broken")
    status = 418 if path.endswith("/tea") else 200
    headers = [(b"content-type", b"text/plain"), (b"set-cookie", b"a=b")]
    body = (await asyncio.to_thread(respond, path)).encode()
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if path.endswith("/endless"):
        disconnected = asyncio.create_task(wait_for_disconnect(receive))
        while not disconnected.done():
            await send({"type": "http.response.body", "body": b"more" * 10_000, "more_body": True})
            await asyncio.sleep(0.001)
        return
    await send({"type": "http.response.body", "body": body})


async def wait_for_disconnect(receive):
    while (await receive())["type"] != "http.disconnect":
        pass


def respond(path):
    if path.endswith("/robots.txt"):
        return traffic.robots_txt(["AI Data Scraper"])
    if path.endswith("/tokens"):
        return json.dumps(traffic.tokens(["AI Data Scraper"]))
    if path.endswith("/identify"):
        return json.dumps(traffic.identify({"request_headers": {"user-agent": "GPTBot/1.2"}, "client_address": "192.0.2.1"}))
    return "page"


unguarded_site = traffic.asgi(site)
guarded_site = traffic.asgi(site, block=traffic.block(["AI Data Scraper"], status=402))


async def application(scope, receive, send):
    await (guarded_site if "/guarded" in scope.get("path", "") else unguarded_site)(scope, receive, send)

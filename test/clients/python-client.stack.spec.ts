import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands, findCommand } from '../stack/packages.js';
import { CREDENTIAL_NAMES, CREDENTIAL_PARAMETERS } from './credential-names.js';
import { REDACTED_HEADER_VALUES, REDACTED_PATHS, REDACTED_PAYMENTS } from './redaction-cases.js';
import { ScriptedInstance } from './scripted-instance.js';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../libs/client-python');
const VISIT = `lambda path, **more: {'request_path': path, 'request_method': 'GET', 'request_headers': {}, **more}`;

const instance = new ScriptedInstance();
let python: string;

beforeAll(async () => {
  await ensureCommands({ python3: 'python3' });
  python = (await findCommand('python3'))!;
  await instance.start();
});
beforeEach(() => instance.reset());
afterAll(() => instance.dispose());

/**
 * Runs Python code that can use `traffic` and `visit`.
 *
 * @returns stdout parsed as JSON, and stderr
 */
async function runPython(lines: string, options = ''): Promise<{ printed: unknown; logged: string }> {
  const program = [
    'import json, logging, os, sys, time',
    'import agent_traffic',
    `traffic = agent_traffic.AgentTraffic(${options})`,
    `visit = ${VISIT}`,
    lines,
  ].join('\n');
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: FOLDER,
    PYTHONDONTWRITEBYTECODE: '1',
    AGENT_TRAFFIC_URL: instance.url,
    AGENT_TRAFFIC_TOKEN: 'agt_test',
  };
  const { stdout, stderr } = await run(python, ['-W', 'error', '-c', program], { env });
  return { printed: stdout === '' ? null : JSON.parse(stdout), logged: stderr };
}

it('has valid Python 3.9 syntax', async () => {
  const program = `import ast; ast.parse(open(${JSON.stringify(join(FOLDER, 'agent_traffic.py'))}).read(), feature_version=(3, 9))`;
  await expect(run(python, ['-c', program])).resolves.toEqual({ stdout: '', stderr: '' });
});

it('detects the same credential names as the gateway', async () => {
  const names = JSON.stringify(CREDENTIAL_NAMES.map(([name]) => name));
  const { printed } = await runPython(
    `print(json.dumps([[name, agent_traffic._is_credential_name(name)] for name in ${names}]))`,
  );
  expect(printed).toEqual(CREDENTIAL_NAMES);
  const parameters = JSON.stringify(CREDENTIAL_PARAMETERS.map(([name]) => name));
  const judged = await runPython(
    `print(json.dumps([[name, agent_traffic._is_credential_parameter(name)] for name in ${parameters}]))`,
  );
  expect(judged.printed).toEqual(CREDENTIAL_PARAMETERS);
});

it('sends gzipped batches of 50 visits with unique keys and the rest at exit', async () => {
  await runPython('for number in range(120): traffic.report(visit(f"/{number}"))');
  expect(instance.batches.flat()).toEqual(Array.from({ length: 120 }, (_, number) => `/${number}`));
  expect(Math.max(...instance.batches.map(({ length }) => length))).toBe(50);
  expect(instance.requests[0]!.headers).toMatchObject({ authorization: 'Bearer agt_test', 'content-encoding': 'gzip' });
  expect(new Set(instance.keys).size).toBe(instance.requests.length);
});

it('sends the first visit automatically after the interval', async () => {
  const { printed } = await runPython(
    `traffic.report(visit("/only"))
while not traffic._sender._sent: time.sleep(0.01)
print(json.dumps(True), flush=True)
os._exit(0)`,
    'interval=0.05',
  );
  expect(printed).toBe(true);
  expect(instance.batches).toEqual([['/only']]);
});

it('retries with the same key after 429, 502, and 503, and respects Retry-After', async () => {
  instance.script.push({ status: 503 }, { status: 429, headers: { 'retry-after': '1' } }, { status: 502 });
  const { printed } = await runPython(`traffic.report(visit("/a"))
started = time.monotonic()
print(json.dumps([traffic.flush(20), traffic.dropped, time.monotonic() - started > 1]))`);
  expect(printed).toEqual([true, 0, true]);
  expect(instance.batches).toEqual([['/a'], ['/a'], ['/a'], ['/a']]);
  expect(new Set(instance.keys).size).toBe(1);
});

it('splits batches that are too large and drops a single visit that is too large', async () => {
  instance.script.push({ status: 413 }, { status: 413 }, { status: 413 });
  const { printed } = await runPython(`for path in "abcd": traffic.report(visit("/" + path))
print(json.dumps([traffic.flush(), traffic.dropped]))`);
  expect(instance.batches).toEqual([['/a', '/b', '/c', '/d'], ['/a', '/b'], ['/a'], ['/b'], ['/c', '/d']]);
  expect(printed).toEqual([true, 1]);
});

it('drops and counts permanently rejected visits and logs the reason once', async () => {
  instance.script.push({ status: 401, body: 'The access token is not valid.' }, { status: 401 });
  const { printed, logged } = await runPython(`for path in "ab":
    traffic.report(visit("/" + path))
    traffic.flush()
print(json.dumps(traffic.dropped))`);
  expect(printed).toBe(2);
  expect(logged).toBe('dropped 1 visit: POST /visits returned 401: The access token is not valid.\n');
});

it("drops only the visits that can't be serialized", async () => {
  const { printed } = await runPython(`
cyclic = visit("/cyclic")
cyclic["response_headers"] = cyclic
for one in (visit("/a"), cyclic, visit("/nan") | {"response_duration_in_milliseconds": float("nan")}, visit("/b")):
    traffic.report(one)
print(json.dumps([traffic.flush(), traffic.dropped]))`);
  expect(instance.batches).toEqual([['/a', '/b']]);
  expect(printed).toEqual([true, 2]);
});

it('drops the oldest visits if the queue is full', async () => {
  const { printed } = await runPython(
    `for number in range(10): traffic.report(visit(f"/{number}"))
print(json.dumps(traffic.dropped))`,
    'max_queued=4, interval=0.5',
  );
  expect(printed).toBe(6);
  expect(instance.batches).toEqual([['/6', '/7', '/8', '/9']]);
});

it('starts with an empty queue in a forked process', async () => {
  await runPython(
    `traffic.report(visit("/parent"))
if os.fork() == 0:
    traffic.report(visit("/child"))
    sys.exit()
os.wait()`,
    'interval=60',
  );
  expect(instance.batches.toSorted()).toEqual([['/child'], ['/parent']]);
});

it('gives up after the shutdown timeout if the instance is unavailable', async () => {
  instance.script.push(...Array.from({ length: 50 }, () => ({ status: 503 })));
  const { logged } = await runPython('traffic.report(visit("/a")); traffic.shutdown(0.3)');
  expect(logged).toContain('dropped 1 visit at shutdown: POST /visits returned 503');
});

const HEADERS = {
  Authorization: 'Basic eA==',
  cookie: ['a=1', 'b=2'],
  'X-Api-Key': 'x',
  'X-Tenant': 'y',
  'signature-input': 'sig1=("@authority");nonce="n?";keyid="k"',
  referer: 'https://a.example/?token=abc&page=2',
  'user-agent': 'GPTBot/1.2; token=abc',
};
const REDACTED_HEADERS = {
  ...HEADERS,
  Authorization: '[redacted]',
  cookie: '[redacted]',
  'X-Api-Key': '[redacted]',
  'X-Tenant': '[redacted]',
  referer: 'https://a.example/?token=[redacted]&page=2',
};

it('redacts paths and header values like the other clients', async () => {
  const [values, redactedValues] = [0, 1].map((index) =>
    Object.fromEntries(REDACTED_HEADER_VALUES.map((value, number) => [`x-${number}`, value[index]])),
  );
  const paths = JSON.stringify(REDACTED_PATHS.map(([path]) => path));
  await runPython(
    `for path in ${paths}: traffic.report(visit(path, request_headers=${JSON.stringify(values)}))`,
    'interval=60',
  );
  expect(instance.batches).toEqual([REDACTED_PATHS.map(([, redacted]) => redacted)]);
  expect((instance.requests[0]!.body as object[])[0]).toMatchObject({ request_headers: redactedValues });
});

it('redacts payments like the other clients', async () => {
  const [headers, redacted] = [1, 2].map((index) => REDACTED_PAYMENTS.map((one) => ({ [one[0]]: one[index] })));
  await runPython(
    `for headers in ${JSON.stringify(headers)}: traffic.report(visit('/', request_headers=headers))`,
    'interval=60',
  );
  expect(instance.requests[0]!.body).toMatchObject(redacted!.map((one) => ({ request_headers: one })));
});

it('redacts credentials but not signature inputs', async () => {
  await runPython(
    `traffic.report(visit("/cb?code=abc&page=2&user%5Bpassword%5D=x#access_token=y", request_headers=${JSON.stringify(HEADERS)}))`,
    'redact=["x_tenant"]',
  );
  expect((instance.requests[0]!.body as object[])[0]).toEqual({
    request_path: '/cb?code=[redacted]&page=2&user%5Bpassword%5D=[redacted]#access_token=[redacted]',
    request_method: 'GET',
    request_headers: REDACTED_HEADERS,
  });
});

it('identifies and verifies requests without sending their credentials', async () => {
  instance.script.push(...Array.from({ length: 3 }, () => ({ status: 200, body: '[]' })));
  await runPython(
    `request = visit("/a?token=abc", id="1", client_address="192.0.2.7", request_headers=${JSON.stringify(HEADERS)})
traffic.identify(request)
traffic.identify([request])
traffic.verify(request)`,
    'redact=["x_tenant"]',
  );
  const item = { id: '1', client_address: '192.0.2.7', request_headers: REDACTED_HEADERS };
  expect(instance.requests.map(({ path, body }) => [path, body])).toEqual([
    ['/agent-identifications', item],
    ['/agent-identifications', [item]],
    ['/agent-verifications', { ...item, request_path: '/a?token=abc' }],
  ]);
});

it('returns cached rules while fetching new ones', async () => {
  instance.script.push({ status: 503 }, { status: 200, body: 'one' }, { status: 200, body: 'two' });
  const { printed, logged } = await runPython(`agent_traffic._PAUSE_AFTER_FAILURE_SECONDS = 3600
read = lambda max_age=3600: traffic.robots_txt(["Scraper"], max_age=max_age, disallow="/x")
texts = [read(), read()]
agent_traffic._PAUSE_AFTER_FAILURE_SECONDS = 0
texts += [read(), read(), read(max_age=0)]
while read() == "one": time.sleep(0.01)
print(json.dumps(texts + [read()]))`);
  expect(printed).toEqual(['', '', 'one', 'one', 'one', 'two']);
  expect(logged).toContain('failed to fetch rules: POST /robots-txts returned 503');
  expect(instance.requests[0]).toMatchObject({
    path: '/robots-txts',
    body: { agent_types: ['Scraper'], disallow: '/x' },
  });
});

it("raises an error if the response to a verification isn't JSON", async () => {
  instance.script.push({ status: 200, body: '[{"result":"unknown_agent"}]' }, { status: 200, body: '<html>' });
  const { printed } = await runPython(`answers = [traffic.identify([{"request_headers": {}}])]
try:
    traffic.verify({"request_path": "/", "request_headers": {}})
except agent_traffic.AgentTrafficError as error:
    answers.append(str(error))
print(json.dumps(answers))`);
  expect(printed).toEqual([
    [{ result: 'unknown_agent' }],
    `POST ${instance.url}/agent-verifications returned invalid JSON`,
  ]);
});

/** Python helpers that call applications without a server. */
const IN_PROCESS = `import asyncio, io, wsgiref.util, wsgiref.validate
def request(app, path, **environ):
    wsgiref.util.setup_testing_defaults(environ)
    environ.update(PATH_INFO=path, QUERY_STRING="", REMOTE_ADDR="127.0.0.1", REQUEST_METHOD="GET")
    answer = []
    body = app(environ, lambda status, headers, exc_info=None: answer.append(status) or (lambda data: None))
    return answer, body
def serve(app, path):
    answer, body = request(app, path)
    try:
        return answer + [b"".join(body).decode()]
    finally:
        body.close()
def reported():
    traffic.flush()
`;
const PAGE = `def page(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"page"]
`;

it('conforms to WSGI and preserves the length and file type for bodies', async () => {
  const { printed } = await runPython(`${IN_PROCESS}${PAGE}
checked = wsgiref.validate.validator(traffic.wsgi(wsgiref.validate.validator(page)))
answers = serve(checked, "/checked/caf\\u00c3\\u00a9")
length = len(request(traffic.wsgi(page), "/sized")[1])
class File(wsgiref.util.FileWrapper): pass
answer, file = request(traffic.wsgi(lambda environ, start: start("200 OK", []) and File(io.BytesIO(b"a"))), "/file", **{"wsgi.file_wrapper": File})
file.close()
reported()
print(json.dumps([answers, length, type(file).__name__]))`);
  expect(printed).toEqual([['200 OK', 'page'], 1, 'File']);
  expect(instance.requests.flatMap(({ body }) => body)).toMatchObject([
    {
      request_path: '/checked/caf%C3%A9',
      response_status_code: 200,
      response_headers: { 'Content-Type': 'text/plain' },
    },
    { request_path: '/file' },
  ]);
});

it('reports exceptions and aborted responses', async () => {
  await runPython(`${IN_PROCESS}
def broken(environ, start_response):
    raise ValueError
def breaks(environ, start_response):
    start_response("200 OK", [])
    yield b""
    raise ValueError
def long(environ, start_response):
    start_response("200 OK", [])
    while True: yield b"more"
for app in (broken, breaks):
    try:
        serve(traffic.wsgi(app), "/" + app.__name__)
    except ValueError:
        pass
answer, body = request(traffic.wsgi(long), "/long")
next(body)
body.close()
reported()`);
  expect(instance.requests.flatMap(({ body }) => body)).toMatchObject([
    { request_path: '/broken', response_status_code: 500 },
    { request_path: '/breaks', response_status_code: 500 },
    { request_path: '/long', response_status_code: 200, response_aborted: true },
  ]);
});

it('reports requests canceled by an ASGI server as aborted, without a status', async () => {
  await runPython(
    `${IN_PROCESS}
async def waits(scope, receive, send):
    await asyncio.sleep(60)
async def main():
    scope = {"type": "http", "method": "GET", "path": "/left", "query_string": b"", "headers": [], "client": None}
    task = asyncio.create_task(traffic.asgi(waits)(scope, None, None))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
asyncio.run(main())
print(json.dumps(traffic.flush()))`,
    'interval=60',
  );
  const [visit] = instance.requests.flatMap(({ body }) => body as Record<string, unknown>[]);
  expect(visit).toMatchObject({ request_path: '/left', response_aborted: true });
  expect(visit).not.toHaveProperty('response_status_code', 500);
});

it("handles lifespan events for ASGI apps that don't handle them, and sends queued visits on shutdown", async () => {
  const { printed } = await runPython(
    `${IN_PROCESS}
async def app(scope, receive, send):
    assert scope["type"] == "http"
    await send({"type": "http.response.start", "status": 418, "headers": [(b"a", b"1"), (b"a", b"2")]})
    await send({"type": "http.response.body", "body": b""})
async def main():
    sent = []
    async def send(message): sent.append(message["type"])
    async def receive(): return messages.pop(0)
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    await traffic.asgi(app)({"type": "http", "method": "GET", "path": "/caf\\u00e9", "query_string": b"a=b", "headers": [(b"x", b"y")], "client": ("::1", 5)}, receive, send)
    await traffic.asgi(app)({"type": "lifespan"}, receive, send)
    print(json.dumps([sent, traffic._sender._sent]))
asyncio.run(main())`,
    'interval=60',
  );
  const lifespan = ['lifespan.startup.complete', 'lifespan.shutdown.complete'];
  expect(printed).toEqual([['http.response.start', 'http.response.body', ...lifespan], 1]);
  expect(instance.requests.flatMap(({ body }) => body)).toMatchObject([
    {
      request_path: '/caf%C3%A9?a=b',
      request_headers: { x: 'y' },
      client_address: '::1',
      response_status_code: 418,
      response_headers: { a: ['1', '2'] },
    },
  ]);
});

it('reports an invalid Unicode path if the server provides no raw path', async () => {
  await runPython(
    `${IN_PROCESS}
async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})
async def send(message): pass
scope = {"type": "http", "method": "GET", "path": "/\\udcff", "query_string": b"", "headers": [], "client": None}
asyncio.run(traffic.asgi(app)(scope, None, send))
print(json.dumps(traffic.flush()))`,
    'interval=60',
  );
  expect(instance.requests.flatMap(({ body }) => body)).toMatchObject([{ request_path: '/%ED%B3%BF' }]);
});

it('blocks unverified agents of the given types and sends one request per visitor', async () => {
  const body = (result: string) => JSON.stringify({ result, agent_type_name: 'Scraper' });
  instance.script.push(
    ...[body('not_verifiable'), body('verified'), '{"result":"unknown_agent"}'].map((text) => ({
      status: 200,
      body: text,
    })),
  );
  const { printed } = await runPython(`${IN_PROCESS}${PAGE}
app = traffic.wsgi(page, block=traffic.block(["Scraper"], status=402))
answers = []
for agent in "a", "a", "b", "c":
    answer, body = request(app, "/", HTTP_USER_AGENT=agent)
    answers.append(answer[0])
    getattr(body, "close", lambda: None)()
answers.append(request(app, "/robots.txt", HTTP_USER_AGENT="a")[0][0])
print(json.dumps(answers))`);
  const [refused, served] = ['402 Payment Required', '200 OK'];
  expect(printed).toEqual([refused, refused, served, served, served]);
  expect(instance.requests.filter(({ path }) => path === '/agent-verifications')).toHaveLength(3);
  expect(instance.requests[0]!.headers).toMatchObject({ 'agent-traffic-timeout-ms': '500' });
  expect(instance.requests.flatMap(({ body: visits }) => visits)).toContainEqual(
    expect.objectContaining({ response_status_code: 402 }),
  );
});

/** Python helper for requests from visitors behind a proxy to a site that blocks scrapers. */
const VISITORS = `${IN_PROCESS}${PAGE}
block = traffic.block(["Scraper"], timeout=TIMEOUT)
def refuses(address, path="/", **headers):
    return block.should_block({"request_path": path, "request_method": "GET", "client_address": "127.0.0.1",
                          "request_headers": {"user-agent": "a", "x-forwarded-for": address, **headers}})
`.replace('TIMEOUT', '5');
const SCRAPER = { status: 200, body: '{"result":"not_verifiable","agent_type_name":"Scraper"}' };

it.each([
  ['an address', '"192.0.2.1"', 0],
  ['forged addresses', 'f"203.0.113.{number}, 192.0.2.1"', 0],
  ['an IPv6 network', 'f"2001:db8:7:{number}::1"', 0],
  ['an address with different ports', 'f"192.0.2.1:{number}"', 0],
  ['an address in Forwarded with different ports', `"", forwarded=f'for="[2001:db8:7::1]:{number}"'`, 0],
  ['an address in Forwarded with other parameters', '"", forwarded=f"host={number}.test;For=192.0.2.1;by=_a"', 0],
  ['forged elements of Forwarded', '"", forwarded=f"for=203.0.113.{number}, for=192.0.2.1;proto=https"', 0],
  ['an address in X-Real-IP', '"", **{"forwarded": f"by=_{number}", "x-real-ip": "192.0.2.1"}', 0],
  ['requests with errors', 'f"192.0.2.{number}"', 503],
  ['rejected requests', 'f"192.0.2.{number}"', 422],
  ['rate-limited requests', 'f"192.0.2.{number}"', 429],
])('continues to block agents after failures for %s', async (_, visitor, status) => {
  instance.script.push(...Array.from({ length: 20 }, () => ({ status })), SCRAPER);
  const { printed } = await runPython(`${VISITORS}
print(json.dumps([[refuses(${visitor}) for number in range(20)].count(False), refuses("192.0.2.99")]))`);
  expect(printed).toEqual([20, true]);
});

it('distinguishes visitors by the last address in Forwarded', async () => {
  instance.script.push(...Array.from({ length: 10 }, () => ({ status: 0 })));
  await runPython(`${VISITORS}
for number in range(10): refuses("", forwarded=f"for=203.0.113.1, for=192.0.2.{number};proto=https")`);
  expect(instance.requests).toHaveLength(5);
});

it('stops sending requests after they fail for five visitors in a row', async () => {
  const down = { status: 0 };
  instance.script.push(down, down, down, down, SCRAPER, down, down, down, down, down);
  const { printed } = await runPython(`${VISITORS}
print(json.dumps([refuses(f"192.0.2.{number}") for number in range(15)]))`);
  expect((printed as boolean[]).filter(Boolean)).toHaveLength(1);
  expect(instance.requests).toHaveLength(10);
});

it("limits the size of requests to the instance's maximum", async () => {
  instance.script.push(SCRAPER);
  await runPython(`${VISITORS}
refuses("192.0.2.1", "/" + "a" * 9_000, via="v" * 20_000, **{f"x-{number}": "a" for number in range(500)})`);
  const body = instance.requests[0]!.body as { request_path: string; request_headers: Record<string, string> };
  expect(body.request_path).toHaveLength(8_192);
  expect(Object.keys(body.request_headers)).toHaveLength(200);
  expect(body.request_headers).toMatchObject({ 'user-agent': 'a', 'x-forwarded-for': '192.0.2.1' });
  expect(body.request_headers['via']).toHaveLength(8_192);
});

it('verifies an agent again if the instance may still be looking it up', async () => {
  instance.script.push({ ...SCRAPER, delayMs: 3_000 }, { status: 200, body: '{"result":"verified"}' });
  const { printed } = await runPython(`${VISITORS}
print(json.dumps([refuses("192.0.2.1"), refuses("192.0.2.1"), refuses("192.0.2.1")]))`);
  expect(printed).toEqual([true, false, false]);
  expect(instance.requests).toHaveLength(2);
});

it('reports a request once per project, even with clients registered twice', async () => {
  await runPython(`${IN_PROCESS}${PAGE}
other, elsewhere = (agent_traffic.AgentTraffic(token="agt_other"), agent_traffic.AgentTraffic())
wsgi = traffic.wsgi(elsewhere.wsgi(other.wsgi(traffic.wsgi(page))))
serve(wsgi, "/wsgi")
serve(wsgi, "/wsgi")
async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})
async def send(message): pass
asgi = traffic.asgi(elsewhere.asgi(other.asgi(app)))
scope = {"type": "http", "method": "GET", "path": "/asgi", "query_string": b"", "headers": [], "client": None}
for _ in range(2): asyncio.run(asgi(scope, None, send))
for each in traffic, other, elsewhere: each.flush()`);
  const visits = instance.requests.flatMap(({ headers, body }) =>
    (body as { request_path: string }[]).map(({ request_path: path }) => `${headers.authorization} ${path}`),
  );
  const paths = ['/asgi', '/asgi', '/wsgi', '/wsgi'];
  expect(visits.toSorted()).toEqual(
    ['agt_other', 'agt_test'].flatMap((token) => paths.map((path) => `Bearer ${token} ${path}`)),
  );
});

/** Python code that shuts down like a site on uvicorn: first the lifespan, then the exit handlers. */
const END = `import asyncio, threading
async def app(scope, receive, send): raise ValueError
async def live(traffic):
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    async def receive(): return messages.pop(0)
    async def send(message): pass
    await traffic.asgi(app)({"type": "lifespan"}, receive, send)
for number in range(120): traffic.report(visit(f"/{number}"))
asyncio.run(live(traffic))
agent_traffic._shut_down_all()`;

it('exits quickly while the instance is down and logs the number of lost visits', async () => {
  instance.script.push(...Array.from({ length: 100 }, () => ({ status: 503 })));
  const started = performance.now();
  const { logged } = await runPython(`other = agent_traffic.AgentTraffic("http://127.0.0.1:1")
other.report(visit("/other"))
${END}`);
  // The duration includes Python's startup time.
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(logged).toContain('dropped 120 visits at shutdown: POST /visits returned 503');
  expect(logged).toContain('dropped 1 visit at shutdown: POST http://127.0.0.1:1/visits failed: ');
});

it("exits in time if the instance doesn't respond", async () => {
  instance.script.push(...Array.from({ length: 10 }, () => ({ status: 204, delayMs: 60_000 })));
  const started = performance.now();
  const { logged } = await runPython(`agent_traffic._SHUTDOWN_TIMEOUT_SECONDS = 2.0
${END}`);
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(logged).toContain('dropped 120 visits at shutdown');
});

it('sends all visits at exit once the instance is back', async () => {
  instance.script.push({ status: 503 });
  const { logged } = await runPython(END);
  expect(instance.batches.flat()).toHaveLength(120 + 50);
  expect(logged).not.toContain('dropped');
});

it('reports no visits and returns applications unchanged without an instance URL', async () => {
  const { printed, logged } = await runPython(
    `os.environ.clear()
traffic = agent_traffic.AgentTraffic()
traffic.report(visit("/a"))
print(json.dumps([traffic.wsgi("app"), traffic.asgi("app"), traffic.flush(), traffic.robots_txt(["Scraper"])]))`,
  );
  expect(printed).toEqual(['app', 'app', true, '']);
  expect(logged).toContain('visits are not being reported');
});

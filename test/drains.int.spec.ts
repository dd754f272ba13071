import { createHash, createHmac } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { generateCredential } from '#libs/database';
import { DRAIN_SOURCES, getDrainSender, SAMPLE_PATH } from '#libs/drains';
import { sampleRequests } from '../apps/cli/src/drains/drain-samples.js';
import { App, type TestResponse, type Json } from './kit/app.js';
import { until } from './kit/instance.js';

const log = new PassThrough();
let logged = '';
log.on('data', (chunk: Buffer) => (logged += chunk.toString()));

let app: App;
let project: string;
let other: { path: string; token: string };
beforeAll(async () => {
  app = await App.start({ log });
  project = `/projects/${(await app.api('GET', '/projects')).body.projects[0].id}`;
  const { id } = (await app.api('POST', '/projects', { name: 'Other' })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  other = { path: `/projects/${id}`, token };
});
afterAll(() => app.dispose());

let paths = 0;
/** Returns two log lines in different formats, and the common prefix of their paths. */
const lines = (time = new Date()) => {
  const path = `/article-${++paths}`;
  const ts = time.getTime() / 1_000;
  const caddy = {
    ts,
    request: { remote_ip: '203.0.113.7', method: 'GET', uri: `${path}/caddy`, host: 'shop.example', headers: {} },
    status: 200,
  };
  const [, month, day, year, clock] = time
    .toUTCString()
    .split(/[ ,]+/)
    .map((part, index, parts) => parts[[0, 2, 1, 3, 4][index]!]);
  const at = `${day}/${month}/${year}:${clock} +0000`;
  const combined = `203.0.113.8 - - [${at}] "GET ${path}/combined HTTP/1.1" 200 5 "-" "GPTBot/1.2"`;
  return { path, caddy, combined };
};

interface SendOptions {
  headers?: Record<string, string>;
  token?: string;
  query?: string;
}
async function send(
  source: string,
  body: string | Buffer,
  { headers, token, query = '' }: SendOptions = {},
): Promise<TestResponse> {
  const response = await app.nest.inject({
    method: 'POST',
    url: `/drains/${source}${query}`,
    headers: { ...(token !== '' && { authorization: `Bearer ${token ?? app.accessToken}` }), ...headers },
    payload: body,
  });
  const text = response.payload;
  return { status: response.statusCode, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
}

/** Retries the check, because recorded data and changed settings can take seconds to become visible. */
const eventually = <T>(predicate: () => Promise<T>) =>
  until(predicate, { condition: 'the recorded data or changed settings are visible' });

const listVisits = async (path: string, createLine = project): Promise<Json[]> =>
  (await app.api('GET', `${createLine}/visits?path=${path}&limit=1000`)).body.visits;
const changeSettings = (change: object) => app.api('PATCH', `${project}/drain-settings`, change);
const getDrain = async (source: string, createLine = project): Promise<Json> =>
  (await app.api('GET', `${createLine}/drains`)).body.drains.find((drain: Json) => drain.source === source);

describe('POST /drains/{source}', () => {
  it.each([
    ['lines', (text: string) => Buffer.from(text)],
    ['lines compressed with gzip', (text: string) => gzipSync(text)],
    ['lines compressed with zlib', (text: string) => deflateSync(text)],
    ['lines compressed with zstd', (text: string) => zstdCompressSync(text)],
  ])('accepts %s regardless of the headers', async (_, encoded) => {
    const { path, caddy, combined } = lines();
    const body = encoded(`${JSON.stringify(caddy)}\n\n${combined}\r\n`);
    const response = await send('vector', body, {
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
    });
    expect([response.status, response.body]).toEqual([
      200,
      { lines: 2, visits: 2, static_files: 0, left_out: 0, unreadable: 0 },
    ]);
    expect((await listVisits(path)).map(({ visit }) => visit.request_path).sort()).toEqual([
      `${path}/caddy`,
      `${path}/combined`,
    ]);
  });

  it.each([
    ['an array', (caddy: object) => JSON.stringify([caddy])],
    ['an array that spans several lines', (caddy: object) => JSON.stringify([caddy], null, 2)],
    ['one object', (caddy: object) => JSON.stringify(caddy)],
    ['one object that spans several lines', (caddy: object) => JSON.stringify(caddy, null, 2)],
    [
      "lines wrapped in a collector's objects",
      (caddy: object) => JSON.stringify([{ date: 1, log: `${JSON.stringify(caddy)}\n` }]),
    ],
  ])('accepts log lines in %s', async (_, encoded) => {
    const { path, caddy } = lines();
    expect((await send('fluent-bit', encoded(caddy))).body).toMatchObject({ lines: 1, visits: 1 });
    expect(await listVisits(path)).toHaveLength(1);
  });

  it('skips unreadable lines, and lists them without credentials', async () => {
    const { path, caddy } = lines();
    const waf = `{"httpRequest":{"headers":[{"name":"Cookie","value":"do-not-tell"}]},"n":1}`;
    const bad = ['not a line', '{"half":', waf, `x?token=do-not-tell`];
    const body = [bad[0], JSON.stringify(caddy), ...bad.slice(1)].join('\n');
    const response = await send('netlify', body);
    expect([response.status, response.body]).toEqual([
      200,
      { lines: 5, visits: 1, static_files: 0, left_out: 0, unreadable: 4 },
    ]);
    expect(await listVisits(path)).toHaveLength(1);
    const drain = await eventually(() => getDrain('netlify'));
    expect(drain.last_batch).toEqual({ ...response.body, is_test: false });
    expect(drain.unreadable_lines.map(({ text }: Json) => text)).toEqual([
      expect.stringContaining('x?token='),
      expect.stringContaining('"n":1'),
      '{"half":',
      'not a line',
    ]);
    expect(JSON.stringify(drain)).not.toContain('do-not-tell');
    // Only the last ten unreadable lines are stored.
    await send('netlify', Array.from({ length: 30 }, (_, index) => `bad ${index}`).join('\n'));
    const later = await eventually(async () => {
      const { totals, unreadable_lines: included } = await getDrain('netlify');
      return totals.batches === 2 && { totals, kept: included };
    });
    expect(later.totals).toMatchObject({ lines: 35, visits: 1, unreadable: 34 });
    expect(later.kept.map(({ text }: Json) => text)).toEqual(
      Array.from({ length: 10 }, (_, index) => `bad ${29 - index}`),
    );
  });

  it('excludes static files by default, but not pages, feeds, or robots.txt', async () => {
    const createLine = (name: string) => {
      const { path, caddy } = lines();
      return JSON.stringify({ ...caddy, request: { ...caddy.request, uri: `${path}${name}` } });
    };
    const staticFiles = ['/a.png?v=1', '/b.WOFF2', '/c.css', '/d.mjs', '/e.mp4'].map(createLine);
    const included = [
      '/robots.txt',
      '/llms.txt',
      '/sitemap.xml',
      '/feed.xml',
      '/a.png/',
      '/page',
      '/a.html',
      '/a.pdf',
    ].map(createLine);
    const body = [...staticFiles, ...included].join('\n');
    expect((await send('fastly', body)).body).toMatchObject({
      static_files: staticFiles.length,
      visits: included.length,
    });
    await changeSettings({ leaves_out_static_files: false });
    await eventually(async () => (await send('fastly', staticFiles.join('\n'))).body.visits === staticFiles.length);
    await changeSettings({ leaves_out_static_files: true });
  });
});

describe('repeated drain lines', () => {
  const mapping = {
    time: 'at',
    client: 'ip',
    path: 'where.uri',
    method: 'verb',
    status: 'code',
    id: 'ray',
    duration: 'took',
    duration_unit: 's',
  };
  const line = (path: string, ray: string) => ({
    at: Date.now(),
    ip: '203.0.113.9',
    where: { uri: path },
    verb: 'GET',
    code: '200',
    took: '0.25',
    ray,
  });

  it("deduplicates repeated drain lines across batches by the source's ID", async () => {
    await changeSettings({ mapping });
    const path = `/mapped-${++paths}`;
    const [one, two, three] = ['a', 'b', 'c'].map((ray) => line(`${path}/${ray}`, ray));
    const body = (...createLine: (object | undefined)[]) => createLine.map((each) => JSON.stringify(each)).join('\n');
    await eventually(async () => (await send('json', body(one, two))).body.visits === 2);
    expect((await send('json', JSON.stringify([two, three]))).body).toMatchObject({ visits: 2 });
    const visits = await listVisits(path);
    expect(visits.map(({ visit }) => visit.request_path).sort()).toEqual([`${path}/a`, `${path}/b`, `${path}/c`]);
    expect(visits[0].visit).toMatchObject({ response_status_code: 200, response_duration_in_milliseconds: 250 });
    // In another project, a line with the same ID is a different visit.
    await app.api('PATCH', `${other.path}/drain-settings`, { mapping });
    await eventually(async () => (await send('json', body(one), { token: other.token })).body.visits === 1);
    expect(await listVisits(path, other.path)).toHaveLength(1);
    expect(await listVisits(path)).toHaveLength(3);
    await changeSettings({ mapping: null });
  });

  it('deduplicates lines in identical batches if the source provides no IDs', async () => {
    const { path, caddy, combined } = lines();
    const body = `${JSON.stringify(caddy)}\n${combined}`;
    for (const encoded of [body, gzipSync(body), body]) expect((await send('vector', encoded)).status).toBe(200);
    expect(await listVisits(path)).toHaveLength(2);
    await send('vector', `${body}\n${JSON.stringify({ ...caddy, status: 201 })}`);
    expect(await listVisits(path)).toHaveLength(5);
  });
});

describe('drain access', () => {
  it('accepts the token for a drain in every form that senders support', async () => {
    const { accessToken: token } = app;
    const basic = `Basic ${Buffer.from(`anybody:${token}`).toString('base64')}`;
    for (const headers of [{ authorization: basic }, { 'x-amz-firehose-access-key': token }] as Record<
      string,
      string
    >[]) {
      expect((await send('akamai', '', { token: '', headers })).status).toBe(200);
    }
    const wrong = `Basic ${Buffer.from(`${token}:`).toString('base64')}`;
    for (const authorization of [wrong, 'Basic !', `Bearer ${generateCredential('agt_')}`]) {
      expect((await send('akamai', '', { headers: { authorization } })).status).toBe(401);
    }
    expect((await send('akamai', '', { token: '' })).status).toBe(401);
    // Other operations accept tokens only as bearer credentials.
    const visits = await app.nest.inject({
      method: 'POST',
      url: '/visits',
      payload: '[]',
      headers: { authorization: basic, 'content-type': 'application/json' },
    });
    expect(visits.statusCode).toBe(401);
    expect((await send('nobody', '')).status).toBe(404);
  });

  it('accepts a token in the URL only if the project allows it, and never exposes the token', async () => {
    const { accessToken: token } = app;
    const query = `?token=${token}&more=1`;
    const rejected = await send('netlify', '', { token: '', query });
    expect(rejected.status).toBe(403);
    expect(rejected.text).not.toContain(token);
    await changeSettings({ allows_token_in_url: true });
    await eventually(async () => (await send('netlify', '', { token: '', query })).status === 200);
    const unknown = generateCredential('agt_');
    expect((await send('netlify', '{', { token: '', query: `?token=${unknown}` })).status).toBe(401);
    expect((await send('aws-firehose', '{', { token: '', query })).status).toBe(400);
    await changeSettings({ allows_token_in_url: false });
    const getRejectedRequests = () => app.api('GET', `${project}/refused-requests`);
    await eventually(async () => (await getRejectedRequests()).text.includes('"/drains/:source"'));
    const seen = [
      logged,
      (await app.nest.inject({ method: 'GET', url: '/metrics' })).payload,
      (await getRejectedRequests()).text,
      (await app.api('GET', '/refused-requests')).text,
      (await app.api('GET', `${project}/drains`)).text,
      JSON.stringify(await app.database.dataSource.query('SELECT * FROM refused_requests')),
    ];
    expect(logged).toContain('/drains/:source');
    for (const text of seen) for (const secret of [token, unknown]) expect(text).not.toContain(secret.slice(4));
    expect((await getRejectedRequests()).body.refused_requests).toContainEqual(
      expect.objectContaining({ path: '/drains/:source', status: 403 }),
    );
  });

  it('isolates drains between projects', async () => {
    const { path, caddy } = lines();
    await send('vector', JSON.stringify(caddy), { token: other.token });
    expect(await listVisits(path)).toEqual([]);
    expect(await listVisits(path, other.path)).toHaveLength(1);
  });
});

describe('drain sources with special protocols', () => {
  it("records Logpush's test upload as a connection test", async () => {
    const response = await send('cloudflare-logpush', gzipSync('{"content":"tests"}\n'));
    expect([response.status, response.body.lines]).toEqual([200, 0]);
    const drain = await eventually(() => getDrain('cloudflare-logpush'));
    expect(drain).toMatchObject({
      last_batch: { is_test: true },
      totals: { batches: 1, lines: 0 },
      unreadable_lines: [],
    });
  });

  it('responds to the Fastly challenge only for configured services', async () => {
    const ask = () => app.nest.inject({ method: 'GET', url: '/.well-known/fastly/logging/challenge' });
    await changeSettings({ fastly_service_ids: ['SU1Z0isxPaozGVKXdv0eY'] });
    const hash = createHash('sha256').update('SU1Z0isxPaozGVKXdv0eY').digest('hex');
    const response = await eventually(async () => {
      const { statusCode, payload } = await ask();
      return statusCode === 200 && payload;
    });
    expect(response).toBe(`${hash}\n`);
  });

  it('verifies the Vercel signature if the project has a secret', async () => {
    const { path, caddy } = lines();
    const body = JSON.stringify([caddy]);
    const secret = 'a-secret-of-vercel';
    const signed = (text: string) => ({ 'x-vercel-signature': createHmac('sha1', secret).update(text).digest('hex') });
    const changed = await changeSettings({ vercel_secret: secret, vercel_verify: 'abc123' });
    expect(changed.body).toMatchObject({ has_vercel_secret: true, vercel_verify: 'abc123' });
    expect(changed.text).not.toContain(secret);
    await eventually(async () => (await send('vercel', '')).status === 403);
    expect((await send('vercel', body, { headers: signed(`${body} `) })).status).toBe(403);
    expect((await send('vercel', body, { headers: { 'x-vercel-signature': 'zz' } })).headers['x-vercel-verify']).toBe(
      'abc123',
    );
    expect(await listVisits(path)).toEqual([]);
    const response = await send('vercel', body, { headers: signed(body) });
    expect([response.status, response.body.visits, response.headers['x-vercel-verify']]).toEqual([200, 1, 'abc123']);
    // The signature isn't a substitute for the token.
    expect((await send('vercel', body, { token: '', headers: signed(body) })).status).toBe(401);
    const [{ vercel_secret: stored }] = await app.database.dataSource.query(
      'SELECT vercel_secret FROM drain_settings WHERE vercel_secret IS NOT NULL',
    );
    expect(stored.toString()).not.toContain(secret);
    await changeSettings({ vercel_secret: null });
    await eventually(async () => (await send('vercel', body)).status === 200);
  });

  it('responds to Firehose in its required format, even on errors', async () => {
    const { path, caddy, combined } = lines();
    const records = [`${JSON.stringify(caddy)}\n`, gzipSync(combined)].map((data) => ({
      data: Buffer.from(data).toString('base64'),
    }));
    const headers = { 'x-amz-firehose-request-id': 'req-1', 'content-type': 'application/json' };
    const request = (more: object[]) =>
      JSON.stringify({ requestId: 'req-1', timestamp: 1, records: [...records, ...more] });
    const response = await send('aws-firehose', request([{ data: 'no base64!' }]), { headers });
    expect([response.status, response.body]).toEqual([200, { requestId: 'req-1', timestamp: expect.any(Number) }]);
    expect(await listVisits(path)).toHaveLength(2);
    expect((await eventually(() => getDrain('aws-firehose'))).last_batch).toMatchObject({ visits: 2, unreadable: 1 });
    const rejected = { requestId: 'req-1', timestamp: expect.any(Number), errorMessage: expect.any(String) };
    for (const [body, token, status] of [
      ['{}', undefined, 400],
      ['', 'agt_none', 401],
    ] as const) {
      const errorResponse = await send('aws-firehose', body, { headers, ...(token && { token }) });
      expect([errorResponse.status, errorResponse.body]).toEqual([status, rejected]);
      expect(errorResponse.headers['content-type']).toContain('application/json');
    }
  });

  it('reads OpenTelemetry log exports', async () => {
    const path = `/otel-${++paths}`;
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const attributes = [
      text('http.request.method', 'GET'),
      text('url.path', path),
      text('url.query', 'a=1'),
      text('client.address', '203.0.113.10'),
      text('user_agent.original', 'GPTBot/1.2'),
      { key: 'http.response.status_code', value: { intValue: '404' } },
      {
        key: 'http.request.header.signature-agent',
        value: { arrayValue: { values: [{ stringValue: '"https://a.example"' }] } },
      },
    ];
    const time = { timeUnixNano: String(BigInt(Date.now()) * 1_000_000n) };
    const { combined } = lines();
    const logRecords = [
      { ...time, attributes },
      { ...time, body: { stringValue: combined } },
      { ...time, body: { stringValue: 'started' } },
    ];
    const response = await send('opentelemetry', JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }));
    expect([response.status, response.body]).toMatchObject([200, { lines: 3, visits: 2, unreadable: 1 }]);
    const [{ visit }] = await listVisits(path);
    expect(visit).toMatchObject({
      request_path: `${path}?a=1`,
      response_status_code: 404,
      client_address: '203.0.113.10',
      request_headers: { 'user-agent': 'GPTBot/1.2', 'signature-agent': '"https://a.example"' },
    });
  });
});

describe('drain sources', () => {
  it.each(DRAIN_SOURCES)("accepts the CLI's sample requests for %s", async (source) => {
    const before = (await listVisits(SAMPLE_PATH)).length;
    const samples = await sampleRequests(getDrainSender(source), { token: app.accessToken, now: new Date() });
    for (const { query, headers, body } of samples) {
      await changeSettings({ allows_token_in_url: query !== '' });
      if (query !== '') await eventually(async () => (await send(source, '', { token: '', query })).status === 200);
      const response = await send(source, body, { headers, token: '', query });
      expect(response.status).toBe(200);
      if (response.body.lines > 0) {
        expect(response.body).toEqual({ lines: 2, visits: 1, static_files: 1, left_out: 0, unreadable: 0 });
      }
    }
    const visits = await listVisits(SAMPLE_PATH);
    expect(visits).toHaveLength(before + 1);
    expect(visits[0].visit).toMatchObject({
      request_method: 'GET',
      client_address: '203.0.113.7',
      response_status_code: 200,
      request_headers: { 'user-agent': 'agent-traffic-drain-test/1.0' },
    });
  });
});

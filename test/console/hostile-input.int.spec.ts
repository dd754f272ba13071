import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONSOLE_INTERFACE, parametersOf, PUBLIC_INTERFACE, type InterfaceOperation } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { HOSTILE_FIELDS, HOSTILE_HEADERS, HOSTILE_TEXTS, TRAVERSALS } from '../kit/hostile-values.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Person, type Method } from '../kit/person.js';
import { bodyOf, newTenant, PASSWORD, urlOf, type Tenant } from '../kit/tenant.js';

const DIRECTORY = '/.well-known/http-message-signatures-directory';
const OPERATIONS: readonly InterfaceOperation[] = [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations];

let app: App;
let admin: Person;
let tenant: Tenant;

beforeAll(async () => {
  const webRoot = await temporaryFolder();
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '');
  app = await App.start({ webRoot });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  tenant = await newTenant(app, admin, 'hostile');
});
afterAll(() => app?.dispose());

/** Somebody who may, from an address of their own. */
function headersFor({ access }: InterfaceOperation): Record<string, string> {
  if (access === 'session') return admin.headers();
  const credential = access === 'token' ? app.accessToken : access === 'public' ? null : app.apiKey;
  return {
    'x-forwarded-for': new Person(app.nest).address,
    ...(credential !== null && { authorization: `Bearer ${credential}` }),
  };
}

/** Of an answer without end the beginning counts. */
async function send(method: Method, url: string, headers: Record<string, string>, body?: unknown) {
  const aborted = new AbortController();
  const answer = await app.nest.inject({
    method,
    url,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    payloadAsStream: true,
    signal: aborted.signal,
  });
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream');
  let text = '';
  if (isEndless) aborted.abort();
  else for await (const chunk of answer.stream()) text += String(chunk);
  return { status: answer.statusCode, text };
}

interface Probe {
  what: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Each parameter with each of the values, the others as they should be. */
function parameterProbes(operation: InterfaceOperation): Probe[] {
  const { path } = operation;
  const parameters = parametersOf(operation);
  const plain = urlOf(path, tenant);
  const unknown = ['__proto__=1', 'constructor=1', '__proto__[x]=1', 'toString=1&toString=2', '%00=1', '=', '&&', '%'];
  const twice = parameters.map(({ name }) => `${name}=x&${name}=y`);
  const probes = [...unknown, ...twice].map((query): Probe => ({ what: query, url: `${plain}?${query}` }));
  for (const { in: place, name } of parameters) {
    for (const text of HOSTILE_TEXTS) {
      const what = `${place} ${name}=${text.slice(0, 40)}`;
      const value = encodeURIComponent(text.toWellFormed());
      if (place === 'path') probes.push({ what, url: urlOf(path, tenant, { [name]: value }) });
      else if (place === 'query') {
        probes.push({ what, url: `${plain}?${name}=${value}` });
      } else if (/^[\x20-\x7e\xa0-\xff]*$/.test(text)) probes.push({ what, url: plain, headers: { [name]: text } });
    }
  }
  return probes;
}

/** The body with each of the values at each of its fields, and beside them. */
function bodyProbes({ id, path, body: schema }: InterfaceOperation): Probe[] {
  if (schema === undefined) return [];
  const url = urlOf(path, tenant);
  const valid = { ...VALID_BODIES[id], ...bodyOf(id, tenant) };
  const fields = [['unknown'], ...fieldsOf(schema)];
  const values = COMPILES_CATALOG.has(id) ? HOSTILE_FIELDS.slice(0, 3) : HOSTILE_FIELDS;
  return values.flatMap((value) => [
    { what: `the body = ${JSON.stringify(value)}`, url, body: value },
    ...fields.map((field) => ({
      what: `${field.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`,
      url,
      body: replaced(valid, field, value),
    })),
  ]);
}

/** Each of these is checked against all known agents, which takes some 50 ms. */
const COMPILES_CATALOG = new Set(['addAgent', 'changeAgent', 'importAgents']);

/** Bodies that more than their shape lets through, beside those of the kit. */
const VALID_BODIES: Record<string, Json> = {
  recordVisits: { request_path: '/', request_method: 'GET', request_headers: {} },
  identifyAgents: { request_headers: {} },
  verifyAgent: { request_path: '/', request_headers: {} },
  generateRobotsTxt: { agent_types: ['Scraper'] },
  listUserAgentTokens: { agent_types: ['Scraper'] },
  signIn: { email: 'root@example.com', password: PASSWORD },
  setUp: { code: 'x', name: 'x', email: 'x@example.com', password: PASSWORD },
  resetPassword: { password: PASSWORD },
  addAgent: {
    token: 'Hostile',
    type: 'Scraper',
    operator: null,
    url: null,
    user_agent_patterns: ['hostile'],
    robots_token: null,
    verification: {},
  },
};

/** Every field that a schema names, down to the items of arrays. */
function fieldsOf(schema: Json, field: string[] = []): string[][] {
  const inner = (schema.anyOf ?? []).flatMap((one: Json) => fieldsOf(one, field));
  const items = schema.items === undefined ? [] : fieldsOf(schema.items, [...field, '0']);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    fieldsOf(member, [...field, name]),
  );
  return [...(field.length === 0 ? [] : [field]), ...inner, ...items, ...members];
}

function replaced(value: Json, [name, ...rest]: string[], by: unknown): Json {
  if (name === undefined) return by;
  if (name === '0') return [replaced(Array.isArray(value) ? value[0] : undefined, rest, by)];
  const object = typeof value === 'object' && !Array.isArray(value) ? value : {};
  return { ...object, [name]: replaced(object?.[name], rest, by) };
}

it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s fails on no value of a parameter or a field',
  async (_, operation) => {
    const failed: string[] = [];
    const method = operation.method.toUpperCase() as Method;
    for (const { what, url, headers, body } of [...parameterProbes(operation), ...bodyProbes(operation)]) {
      const { status, text } = await send(method, url, { ...headersFor(operation), ...headers }, body);
      if (status >= 500) failed.push(`${what}: ${status} ${text}`);
    }
    expect(failed).toEqual([]);
  },
);

it('still reads all that was taken', async () => {
  for (const operation of OPERATIONS.filter(({ method, access }) => method === 'get' && access !== 'session')) {
    const { status, text } = await send('GET', urlOf(operation.path, tenant), headersFor(operation));
    expect([operation.id, status < 500, status < 500 || text]).toEqual([operation.id, true, true]);
  }
});

describe('an address or a header that nobody sends', () => {
  const PATHS = ['/', '/api/session', '/api/projects', '/docs', '/assets/x.js', DIRECTORY, '/visits', '/healthz'];
  let port: number;
  beforeAll(async () => {
    await app.nest.listen(0, '127.0.0.1');
    port = (app.nest.getHttpServer().address() as AddressInfo).port;
  });

  /** As it is: nothing is normalized. */
  const statusOf = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path, headers, setHost: !('host' in headers) }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      });
      asked.on('error', reject).end();
    });

  it.each(['host', 'origin', 'referer', 'cookie', 'authorization', 'x-forwarded-for', 'forwarded', 'x-forwarded-host'])(
    '%s',
    async (name) => {
      const failed: unknown[] = [];
      for (const path of PATHS) {
        for (const value of HOSTILE_HEADERS) {
          const status = await statusOf(path, { accept: 'text/html', [name]: value });
          if (status >= 500) failed.push([path, value, status]);
        }
      }
      expect(failed).toEqual([]);
    },
  );

  it.each(['accept', 'content-type', 'content-encoding', 'x-request-id', 'traceparent', 'range', 'if-none-match'])(
    '%s',
    async (name) => {
      for (const path of PATHS) {
        for (const value of HOSTILE_HEADERS) {
          expect([path, value, (await statusOf(path, { [name]: value })) < 500]).toEqual([path, value, true]);
        }
      }
    },
  );

  it.each(TRAVERSALS)('/assets/%s', async (rest) => {
    expect(await statusOf(`/assets/${rest}`, { accept: 'text/html' })).toBeGreaterThanOrEqual(400);
    expect(await statusOf(`/assets/${rest}`, { accept: 'text/html' })).toBeLessThan(500);
  });
});

describe('created of a visit', () => {
  const visit = (created: unknown) => ({ request_path: '/times', request_method: 'GET', request_headers: {}, created });

  it('is of the years that can be stored; else that visit is refused, and no other', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Times' })).body;
    const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
    const send = (visits: unknown) => app.post('/visits', visits, { authorization: `Bearer ${token}` });
    for (const created of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+05:00', '9999-12-31T23:59:59-05:00']) {
      const { status, body } = await send([visit(created)]);
      expect([status, body.errors]).toEqual([
        422,
        [{ pointer: '/0/created', detail: expect.stringContaining('of the years 0001 to 9999') }],
      ]);
    }
    expect(
      (await send([visit('0001-01-01'), visit('0000-01-01'), visit('9999-12-31'), visit(null)])).headers,
    ).toMatchObject({
      'x-visits-rejected': '1',
    });
    const stored = await until(
      async () => {
        const { visits } = (await app.api('GET', `/projects/${id}/visits?path=/times`)).body;
        return visits.length === 3 && (visits as Json[]);
      },
      { what: 'three visits are stored' },
    );
    expect(stored.at(-1).occurred_at).toBe('0001-01-01T00:00:00.000Z');
    const { dead_letters: letters } = (await app.api('GET', `/dead-letters?project=${id}`)).body;
    expect(new Set((letters as Json[]).map(({ reason }) => reason))).toEqual(new Set(['invalid_visit']));
  });
});

import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { BROWSER, Client, GOOGLEBOT, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { systemUnderTest } from './target.js';

let client: Client;

beforeAll(async () => {
  client = await systemUnderTest('Visits');
});

const stored = (path: string, count: number) =>
  until(
    async () => {
      const visits = await client.visits({ path });
      return visits.length >= count && visits;
    },
    { what: `${count} visits under ${path}` },
  );

describe('batches of visits', () => {
  it('accepts a single object', async () => {
    expect((await client.post('/visits', visit('/one'))).status).toBe(204);
    const [first] = await stored('/one', 1);
    expect(first).toMatchObject({
      client_address: '203.0.113.7',
      visit: { request_path: '/one' },
      // Depends on DNS where the test runs: it may refute the agent, but can't verify it.
      identification: {
        agent_token: 'Googlebot',
        operator_name: 'Google',
        result: expect.stringMatching(/^(?:not_verifiable|verification_failed)$/),
      },
    });
    expect(first!.received_at).toBe(first!.occurred_at);
    expect(first!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('accepts an array in order, and an empty array', async () => {
    expect((await client.post('/visits', [])).status).toBe(204);
    const paths = Array.from({ length: 50 }, (_, index) => `/array/${index}`);
    expect(
      (
        await client.post(
          '/visits',
          paths.map((path) => visit(path)),
        )
      ).status,
    ).toBe(204);
    const visits = await stored('/array/', 50);
    // The timeline is newest first. IDs are in posting order.
    expect(visits.map((item) => item.visit.request_path)).toEqual(paths.toReversed());
  });

  it('preserves extra fields, nulls and header values of every type', async () => {
    const odd = visit('/odd', {
      request_headers: {
        'User-Agent': [GOOGLEBOT],
        'X-Forwarded-For': '203.0.113.9',
        'Content-Length': 12,
        Upgrade: true,
        Referer: null,
      },
      response_status_code: null,
      response_headers: null,
      mcp_request_method: null,
      node_package_version: '1.4.0',
    });
    expect((await client.post('/visits', odd)).status).toBe(204);
    const [first] = await stored('/odd', 1);
    expect(first!.visit).toEqual(odd);
    expect(first).toMatchObject({ client_address: '203.0.113.9', identification: { agent_token: 'Googlebot' } });
  });

  it('uses the reported time of a visit, unless it is in the future', async () => {
    const batch = [
      visit('/when/past', { created: '2015-05-17 10:05:03+02:00' }),
      visit('/when/future', { created: '2999-01-01T00:00:00Z' }),
    ];
    expect((await client.post('/visits', batch)).status).toBe(204);
    const visits = await stored('/when/', 2);
    expect(visits[1]!.occurred_at).toBe('2015-05-17T08:05:03.000Z');
    expect(visits[0]!.occurred_at).toBe(visits[0]!.received_at);
  });

  it('does not identify a browser as an agent', async () => {
    await client.post('/visits', visit('/human', { request_headers: { 'user-agent': BROWSER } }));
    const [first] = await stored('/human', 1);
    expect(first!.identification).toMatchObject({ result: 'unknown_agent', agent_id: null, agent_token: null });
    expect(first!.client_address).toBeNull();
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('accepts %s', async (encoding, compress) => {
    const body = compress(JSON.stringify([visit(`/encoded/${encoding}`)]));
    const response = await client.post('/visits', body, { headers: { 'content-encoding': encoding } });
    expect(response.status).toBe(204);
    await stored(`/encoded/${encoding}`, 1);
  });

  it('records the valid part of a batch and explains the rest', async () => {
    const projectId = await client.projectId();
    const batch = Array.from({ length: 100 }, (_, index) =>
      index % 14 === 3 ? { ...visit(`/partly/${index}`), request_method: index } : visit(`/partly/${index}`),
    );
    const response = await client.post('/visits', batch);
    expect(response.status).toBe(204);
    expect(response.headers.get('x-visits-rejected')).toBe('7');
    expect(await stored('/partly/', 93)).toHaveLength(93);
    const letters = await until(
      async () => {
        const { dead_letters: found } = await client.api<{ dead_letters: { id: string; detail: string }[] }>(
          `/dead-letters?project=${projectId}&limit=7`,
        );
        return found.length === 7 && found.every(({ detail }) => detail.includes('request_method')) && found;
      },
      { what: 'the refused items are in the dead letters' },
    );
    const details = letters.map(({ detail }) => detail);
    expect(details.toSorted()).toEqual(
      [3, 17, 31, 45, 59, 73, 87].map((index) => `/${index}/request_method must be string`).toSorted(),
    );
    const letter = await client.api<{ value_base64: string }>(`/dead-letters/${letters[0]!.id}`);
    expect(JSON.parse(Buffer.from(letter.value_base64, 'base64').toString())).toMatchObject({ request_headers: {} });
  });

  it('redacts secrets in the timeline and in dead letters', async () => {
    const projectId = await client.projectId();
    const secret = 'session=4242-secret';
    const headers = { Cookie: secret, authorization: `Bearer ${secret}`, 'user-agent': GOOGLEBOT };
    const batch = [
      visit('/secret', { request_headers: headers }),
      { request_path: '/secret', request_headers: headers },
    ];
    expect((await client.post('/visits', batch)).status).toBe(204);
    const [first] = await stored('/secret', 1);
    expect(first!.visit.request_headers).toMatchObject({ Cookie: '[redacted]', authorization: '[redacted]' });
    const letter = await until(
      async () => {
        const { dead_letters: letters } = await client.api<{ dead_letters: { id: string }[] }>(
          `/dead-letters?project=${projectId}&limit=1`,
        );
        const { value_base64: value } = await client.api<{ value_base64: string }>(`/dead-letters/${letters[0]!.id}`);
        const text = Buffer.from(value, 'base64').toString();
        return text.includes('[redacted]') && text;
      },
      { what: 'the refused item is in the dead letters' },
    );
    expect(letter).not.toContain('4242');
  });

  it('replaces characters that PostgreSQL cannot store as text', async () => {
    const nasty = visit('/nasty/\u0000\ud800', {
      mcp_request_tool_name: '\udc00\u0000',
      response_status_code: 1e21,
      note: '\u0000',
    });
    expect((await client.post('/visits', JSON.stringify(nasty))).status).toBe(204);
    const [first] = await stored('/nasty/', 1);
    expect(first!.visit).toMatchObject({
      request_path: '/nasty/\ufffd\ufffd',
      mcp_request_tool_name: '\ufffd\ufffd',
      note: '\ufffd',
    });
  });
});

describe('an idempotency key', () => {
  const post = (path: string, key: string) =>
    client.post('/visits', [visit(path)], { headers: { 'idempotency-key': key } });

  it('records repeated and concurrent requests only once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/idempotent/a', 'key-a')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(204));
    expect((await post('/idempotent/a', 'key-a')).status).toBe(204);
    expect(await stored('/idempotent/a', 1)).toHaveLength(1);
  });

  it('is rejected with a different body', async () => {
    expect((await post('/idempotent/b', 'key-b')).status).toBe(204);
    expect((await post('/idempotent/c', 'key-b')).status).toBe(422);
    expect(await client.visits({ path: '/idempotent/c' })).toEqual([]);
  });
});

import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { BROWSER, Client, GOOGLEBOT, visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createTestClient } from './target.js';

let client: Client;

beforeAll(async () => {
  client = await createTestClient('Visits');
});

const waitForVisits = (path: string, count: number) =>
  until(
    async () => {
      const visits = await client.visits({ path });
      return visits.length >= count && visits;
    },
    { condition: `${count} visits under ${path} are stored` },
  );

describe('POST /visits', () => {
  it('accepts a single visit object', async () => {
    expect((await client.post('/visits', visit('/one'))).status).toBe(204);
    const [first] = await waitForVisits('/one', 1);
    expect(first).toMatchObject({
      client_address: '203.0.113.7',
      visit: { request_path: '/one' },
      // The result depends on the local DNS. The agent may be refuted, but it can't be verified.
      identification: {
        agent_token: 'Googlebot',
        operator_name: 'Google',
        result: expect.stringMatching(/^(?:not_verifiable|verification_failed)$/),
      },
    });
    expect(first!.received_at).toBe(first!.occurred_at);
    expect(first!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('accepts an empty array, and records visits in array order', async () => {
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
    const visits = await waitForVisits('/array/', 50);
    // The timeline lists the newest visits first.
    expect(visits.map((item) => item.visit.request_path)).toEqual(paths.toReversed());
  });

  it('preserves extra fields, nulls and header values with any type', async () => {
    const unusualVisit = visit('/odd', {
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
    expect((await client.post('/visits', unusualVisit)).status).toBe(204);
    const [first] = await waitForVisits('/odd', 1);
    expect(first!.visit).toEqual(unusualVisit);
    expect(first).toMatchObject({ client_address: '203.0.113.9', identification: { agent_token: 'Googlebot' } });
  });

  it("uses a visit's reported time unless it is in the future", async () => {
    const batch = [
      visit('/when/past', { created: '2015-05-17 10:05:03+02:00' }),
      visit('/when/future', { created: '2999-01-01T00:00:00Z' }),
    ];
    expect((await client.post('/visits', batch)).status).toBe(204);
    const visits = await waitForVisits('/when/', 2);
    expect(visits[1]!.occurred_at).toBe('2015-05-17T08:05:03.000Z');
    expect(visits[0]!.occurred_at).toBe(visits[0]!.received_at);
  });

  it('does not identify a browser as an agent', async () => {
    await client.post('/visits', visit('/human', { request_headers: { 'user-agent': BROWSER } }));
    const [first] = await waitForVisits('/human', 1);
    expect(first!.identification).toMatchObject({ result: 'unknown_agent', agent_id: null, agent_token: null });
    expect(first!.client_address).toBeNull();
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('accepts bodies encoded with %s', async (encoding, compress) => {
    const body = compress(JSON.stringify([visit(`/encoded/${encoding}`)]));
    const response = await client.post('/visits', body, { headers: { 'content-encoding': encoding } });
    expect(response.status).toBe(204);
    await waitForVisits(`/encoded/${encoding}`, 1);
  });

  it('records the valid visits in a batch and reports the invalid ones', async () => {
    const projectId = await client.projectId();
    const batch = Array.from({ length: 100 }, (_, index) =>
      index % 14 === 3 ? { ...visit(`/partly/${index}`), request_method: index } : visit(`/partly/${index}`),
    );
    const response = await client.post('/visits', batch);
    expect(response.status).toBe(204);
    expect(response.headers.get('x-visits-rejected')).toBe('7');
    expect(await waitForVisits('/partly/', 93)).toHaveLength(93);
    const letters = await until(
      async () => {
        const { dead_letters: found } = await client.api<{ dead_letters: { id: string; detail: string }[] }>(
          `/dead-letters?project=${projectId}&limit=7`,
        );
        return found.length === 7 && found.every(({ detail }) => detail.includes('request_method')) && found;
      },
      { condition: 'the rejected items are stored as dead letters' },
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
    const [first] = await waitForVisits('/secret', 1);
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
      { condition: 'the rejected item is stored as a dead letter' },
    );
    expect(letter).not.toContain('4242');
  });

  it('replaces characters that PostgreSQL cannot store as text', async () => {
    const invalidTextVisit = visit('/nasty/\u0000\ud800', {
      mcp_request_tool_name: '\udc00\u0000',
      response_status_code: 1e21,
      note: '\u0000',
    });
    expect((await client.post('/visits', JSON.stringify(invalidTextVisit))).status).toBe(204);
    const [first] = await waitForVisits('/nasty/', 1);
    expect(first!.visit).toMatchObject({
      request_path: '/nasty/\ufffd\ufffd',
      mcp_request_tool_name: '\ufffd\ufffd',
      note: '\ufffd',
    });
  });
});

describe('Idempotency-Key', () => {
  const post = (path: string, key: string) =>
    client.post('/visits', [visit(path)], { headers: { 'idempotency-key': key } });

  it('prevents duplicates when requests with the same idempotency key are repeated or sent concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post('/idempotent/a', 'key-a')));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(204));
    expect((await post('/idempotent/a', 'key-a')).status).toBe(204);
    expect(await waitForVisits('/idempotent/a', 1)).toHaveLength(1);
  });

  it('rejects a request that reuses an idempotency key with a different body', async () => {
    expect((await post('/idempotent/b', 'key-b')).status).toBe(204);
    expect((await post('/idempotent/c', 'key-b')).status).toBe(422);
    expect(await client.visits({ path: '/idempotent/c' })).toEqual([]);
  });
});

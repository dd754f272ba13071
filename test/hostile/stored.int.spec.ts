import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBundledCatalog } from '#libs/catalog';
import { ROBOTS_VERDICTS } from '#libs/contracts';
import { MAX_BODY_BYTES } from '#libs/platform';
import { App } from '../kit/app.js';
import { isFullRun } from '../kit/faults.js';
import { until } from '../kit/instance.js';
import { readVisits } from '../kit/visit-store.js';
import { MIB, repeatToBytes } from './bodies.js';
import { CURSORS } from './values.js';
import { expectWithstands, memoryLimit } from './withstand.js';

/** Maximum memory in bytes for cached robots.txt files, in addition to the request. */
const CACHED_FILES_BYTES = 64 * MIB;
const HOST = 'shop.example';
const HOUR_MS = 3_600_000;
const AGENT_COUNT = 200;
const TIMEOUT_MS = 600_000;

let app: App;
let projectId: string;
beforeAll(async () => {
  app = await App.start();
  const { body } = await app.api('GET', '/projects');
  projectId = body.projects[0].id;
  expect((await app.api('PATCH', `/projects/${projectId}`, { host_names: [HOST] })).status).toBe(200);
});
afterAll(() => app?.dispose());

type Request = [method: 'GET' | 'POST', path: string, body?: unknown];

/** Sends a request with the API key or the access token. Resends it after a 503 and `Retry-After`, like clients. */
async function send([method, path, body]: Request, idempotencyKey: string = randomUUID()) {
  const isPublic = path.startsWith('/');
  const request = {
    method,
    url: isPublic ? path : `/api/projects/${projectId}/${path}`,
    headers: {
      authorization: `Bearer ${isPublic ? app.accessToken : app.apiKey}`,
      ...(isPublic && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  };
  let response = await app.nest.inject(request);
  while (response.statusCode === 503) {
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    await sleep(Number(response.headers['retry-after']) * 1_000);
    response = await app.nest.inject(request);
  }
  return response;
}

/** Sends the request while others check health and record visits. */
async function withstand(name: string, request: Request, maxBytes = memoryLimit(MAX_BODY_BYTES)) {
  const idempotencyKey = randomUUID();
  return expectWithstands(name, maxBytes, async () => {
    const [response, health, visit] = await Promise.all([
      send(request, idempotencyKey),
      app.nest.inject('/healthz'),
      send(['POST', '/visits', { request_path: '/', request_method: 'GET', request_headers: {} }]),
    ]);
    expect([health.statusCode, visit.statusCode]).toEqual([200, 204]);
    return response;
  });
}

const query = (sql: string, parameters: unknown[] = []) => app.database.dataSource.query(sql, parameters);

describe('alerts previews', () => {
  afterAll(() => query(`DELETE FROM robots_versions WHERE project_id = $1`, [projectId]));

  const longest = { window_minutes: 1_440, threshold: 0, minimum: 0, cooldown_minutes: 0, recovery_minutes: 0 };

  it(
    'rejects a preview whose condition is met too often',
    async () => {
      await query(
        `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, visits)
         SELECT $1, date_trunc('hour', now()) - make_interval(hours => age), id, 'Scraper', 'verification_failed', 1
         FROM (SELECT id FROM agents LIMIT 40) a, generate_series(1, 700, 12) age`,
        [projectId],
      );
      await query(
        `INSERT INTO robots_versions (id, project_id, host, served_from, status, is_recorded)
         SELECT gen_random_uuid(), $1, 'host' || host || '.example', now() - interval '60 days', 500, true
         FROM generate_series(1, 40) host`,
        [projectId],
      );
      for (const kind of ['spoofing', 'robots_missing']) {
        expect(await withstand(kind, ['POST', 'alerts/preview', { kind, ...longest }])).toBe(422);
      }
    },
    TIMEOUT_MS,
  );
});

describe('lists of visits', () => {
  const repeated = (name: string, value: (index: number) => string, count = 50): string =>
    Array.from({ length: count }, (_, index) => `${name}=${encodeURIComponent(value(index))}`).join('&');
  const prefixes = (index: number): string => `/${'a'.repeat(200)}${index}`;
  const QUERIES: Record<string, string> = {
    'many paths': repeated('path', prefixes),
    'many excluded paths': repeated('not_path', prefixes),
    'more paths than allowed': repeated('path', String, 500),
    'many pages': repeated('page', prefixes),
    'many networks': `${repeated('address', () => '::/0')}&${repeated('not_address', () => '0.0.0.0/0')}`,
    'many statuses': `${repeated('status', (index) => String(index))}&${repeated('not_status', (index) => String(index))}`,
    'all filters': ['path', 'page', 'agent', 'operator', 'assistant', 'mcp_tool', 'user_agent_group']
      .flatMap((name) => [name, `not_${name}`])
      .map((name) => repeated(name, (index) => `/${index}%_\\`, 40))
      .join('&'),
    'a wide range': 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z&limit=1000&order=oldest',
    'a reversed range': 'from=9999-12-31T23:59:59Z&to=0001-01-01T00:00:00Z',
    'a long cursor': `cursor=${'A'.repeat(12_000)}`,
    'many parameters': repeated('x', String, 2_000),
  };

  beforeAll(async () => {
    const note = 'x'.repeat(400_000);
    const visit = { request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.2' }, note };
    for (let batch = 0; batch < 4; batch += 1) {
      const visits = Array.from({ length: 10 }, (_, index) => ({ ...visit, request_path: prefixes(index) }));
      expect((await send(['POST', '/visits', visits])).statusCode).toBe(204);
    }
  });

  it.each(Object.entries(QUERIES))('responds to a query with %s', async (name, text) => {
    expect(await withstand(name, ['GET', `visits?${text}`])).toBeLessThan(500);
    expect(await withstand(name, ['GET', `visits/export?format=csv&${text}`])).toBeLessThan(500);
  });

  it('rejects cursors that are nonsense', async () => {
    for (const cursor of CURSORS.filter((_, index) => isFullRun || index % 5 === 0)) {
      const status = await withstand(cursor, ['GET', `visits?cursor=${encodeURIComponent(cursor)}`]);
      expect([cursor, status < 500]).toEqual([cursor, true]);
    }
  });
});

describe('robots.txt versions', () => {
  const agents = getBundledCatalog()
    .agents.filter(({ sample_user_agents: samples, robots_token: token }) => samples?.[0] && token)
    .slice(0, AGENT_COUNT);
  const names = agents.map(({ robots_token: token }) => `User-agent: ${token}\n`).join('');
  const ownGroups = agents.map(({ robots_token: token }) => `User-agent: ${token}\nDisallow: /x\n`).join('');
  const numbered = (line: (index: number) => string, count: number): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const TEXTS: Record<string, () => string> = {
    'many rules': () => `${names}${'Allow: /\n'.repeat(60_000)}`,
    'many different rules': () => `${names}${numbered((index) => `Disallow: /${index}`, 30_000)}`,
    'a large group shared by many agents': () =>
      `${ownGroups}${names}${numbered((index) => `Disallow: /${index}`, 28_000)}`,
    'many groups': () => `${'User-agent: *\nAllow: /\n'.repeat(20_000)}`,
    'many groups of one agent': () => numbered((index) => `User-agent: GPTBot\nAllow: /${index}`, 14_000),
    'many user agents': () => `${numbered((index) => `User-agent: a${index}`, 20_000)}\nDisallow: /`,
    'rules with wildcards': () => `${names}${numbered((index) => `Disallow: /*a*${index}b`, 20_000)}`,
    'wildcards in one rule': () => `${names}Disallow: /${'*a'.repeat(240_000)}`,
    'different wildcards in one rule': () =>
      `${names}Disallow: /*${numbered((index) => `a${index}*`, 60_000).replaceAll('\n', '')}`,
    'one long rule': () => `${names}Disallow: /${'a'.repeat(490_000)}`,
    'escapes in one rule': () => `${names}Disallow: /${'%zz%61\u00e9'.repeat(50_000)}`,
    'nested rules': () => `${names}${numbered((index) => `Disallow: /${'a'.repeat(index)}`, 950)}`,
    'line ends': () => '\r'.repeat(1_000_000),
    colons: () => ':'.repeat(1_000_000),
    signals: () => repeatToBytes('Content-Signal: /a a=yes, b=no, c=y\nSitemap: https://a.example/\n', 1_000_000),
    'preferences in one signal': () => `Content-Signal: ${'a=yes,'.repeat(160_000)}`,
    blanks: () => `Disallow:${' '.repeat(400_000)}x${'\t'.repeat(400_000)}`,
    'control characters': () => '\u0001'.repeat(700_000),
  };
  const visits = (count: number, createdAt: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => ({
      request_method: 'GET',
      request_path: `/${'a'.repeat(800)}${index}`,
      request_headers: { host: HOST, 'user-agent': agents[index % agents.length]!.sample_user_agents![0] },
      created: new Date(createdAt(index)).toISOString(),
    }));
  const VISIT_COUNT = isFullRun ? 500 : 100;
  const maxBytes = memoryLimit(MAX_BODY_BYTES) + CACHED_FILES_BYTES;
  /** Time from which the current version applies. */
  let start = Date.parse('2026-10-01T00:00:00Z');

  /** Records a version and returns its ID once visits are judged by it. */
  async function recordVersion(name: string, version: { text: string; served_from: string }): Promise<string> {
    const status = await withstand(`${name}: record`, ['POST', 'robots-versions', version], maxBytes);
    expect([name, status]).toEqual([name, 201]);
    const { id } = (await app.api('GET', `/projects/${projectId}/robots-versions?host=${HOST}&limit=1`)).body
      .versions[0];
    const [visit] = visits(1, () => start);
    await until(
      async () => {
        expect((await send(['POST', '/visits', { ...visit, request_path: `/${id}` }])).statusCode).toBe(204);
        const { body } = await app.api('GET', `/projects/${projectId}/visits?limit=1&path=/${id}`);
        return body.visits[0]?.robots.version === id;
      },
      { condition: `visits are judged by the version with ${name}` },
    );
    return id;
  }

  it.each(Object.entries(TEXTS).filter((_, index) => isFullRun || index % 3 === 0))(
    'records, returns and evaluates a version with %s',
    async (name, createText) => {
      start += HOUR_MS;
      const text = createText();
      const version = { text, served_from: new Date(start).toISOString() };
      const id = await recordVersion(name, version);
      expect(await withstand(`${name}: get`, ['GET', `robots-versions/${id}`], maxBytes)).toBe(200);
      const batch = visits(VISIT_COUNT, () => start + 1);
      expect(await withstand(`${name}: visits`, ['POST', '/visits', batch], maxBytes)).toBe(204);
    },
    TIMEOUT_MS,
  );

  it(
    'stores visits spread over many large versions, although only some of them are evaluated',
    async () => {
      start += HOUR_MS;
      const count = isFullRun ? 100 : 10;
      for (let index = 0; index < count; index += 1) {
        const text = `# ${index}\n${names}${'Allow: /\n'.repeat(50_000)}`;
        await query(
          `WITH text AS (
             INSERT INTO robots_texts (digest, text, is_cut) VALUES ($1, $2, false) ON CONFLICT DO NOTHING
           )
           INSERT INTO robots_versions (id, project_id, host, served_from, served_until, status, digest, is_recorded)
           VALUES (gen_random_uuid(), $3, $4, $5, $6, 200, $1, true)`,
          [
            createHash('sha256').update(text).digest(),
            text,
            projectId,
            HOST,
            new Date(start + index * 1_000),
            new Date(start + index * 1_000 + 999),
          ],
        );
      }
      start += count * 1_000;
      await recordVersion('last', { text: '', served_from: new Date(start).toISOString() });
      start -= count * 1_000;
      const batch = visits(VISIT_COUNT, (index) => start + (index % count) * 1_000 + 1);
      expect(await withstand('many versions', ['POST', '/visits', batch], maxBytes)).toBe(204);
      const stored = (await readVisits(app.database.dataSource, projectId)).filter(
        ({ occurred_at: at }) => at >= start && at < start + count * 1_000,
      );
      const verdicts = new Set(stored.map(({ robots }) => ROBOTS_VERDICTS[robots! - 1]));
      expect(verdicts).toEqual(new Set(['allowed', 'unknown']));
      expect(stored).toHaveLength(VISIT_COUNT);
    },
    TIMEOUT_MS,
  );
});

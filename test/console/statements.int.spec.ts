import { createHash } from 'node:crypto';
import { agentId } from '#libs/catalog';
import { escapeInvisible, type IdentificationResult } from '#libs/contracts';
import { verifyStatement } from '#libs/statements';
import { RobotsHistoryService } from '../../apps/console/src/statements/robots-history.service.js';
import { App, type Json } from '../kit/app.js';
import '../kit/dispose-all.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAY_MS = 86_400_000;
const RANGE = 'from=2026-11-11&to=2026-11-21';
const ROBOTS = 'License: https://shop.example/license.xml\nUser-agent: *\nDisallow: /private\nDisallow: /*?\n';

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function createProject(visits: readonly StoredVisit[], name = 'Shop'): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name, host_names: ['shop.example'] });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

const download = (id: string, query: string) => app.api('GET', `/projects/${id}/statement?${RANGE}&${query}`);

async function readRecords(id: string, query: string): Promise<Json[]> {
  const { text, status } = await download(id, `format=ndjson&${query}`);
  expect(status).toBe(200);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const select = (records: readonly Json[], record: string): Json[] =>
  records.filter((item) => item['record'] === record);

const RESULTS = { verified: 'verified', claimed: 'not_verifiable', spoofed: 'verification_failed' } as const;

/** Pseudorandom numbers (mulberry32), so that a failure can be repeated. */
function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

/** Returns visits of several operators, some of them outside of the range. */
function createRandomVisits(count: number, version: string): StoredVisit[] {
  const random = createRandom(7);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const agents = [
    { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' },
    { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI' },
    { agent: 'OAI-SearchBot', type: 'AI Search Crawler', operator: 'OpenAI' },
    { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' },
    {},
  ];
  return Array.from({ length: count }, () => {
    const agent = pick(agents);
    const isDisallowed = random(4) === 0;
    const robots = isDisallowed
      ? { verdict: 'disallowed' as const, version, line: pick([3, 4]) }
      : { verdict: 'allowed' as const, version, line: null };
    return {
      ...agent,
      at: new Date(Date.parse('2026-11-10T12:00Z') + random(11 * DAY_MS)).toISOString(),
      path: `/${pick(['a', 'b', 'private/c'])}${pick(['', '?q=1', '?q=2'])}`,
      address: `203.0.113.${random(5)}`,
      ...(agent.agent !== undefined && {
        result: pick(Object.values(RESULTS)) as IdentificationResult,
        insights: { robots },
      }),
      ...(random(3) > 0 && { extra: { response_size_in_bytes: random(10_000) } }),
    };
  });
}

async function recordRobots(id: string): Promise<string> {
  const body = { text: ROBOTS, served_from: '2026-11-12T06:00:00Z' };
  const response = await app.api('POST', `/projects/${id}/robots-versions`, body);
  expect(response.status).toBe(201);
  return response.body.id as string;
}

describe('GET /api/projects/{id}/statement', () => {
  it('contains the same numbers as an independent count', async () => {
    const id = await createProject([]);
    const version = await recordRobots(id);
    const visits = createRandomVisits(1_500, version);
    await storeVisits(app.database.dataSource, id, NOW, visits);
    const inRange = visits.filter(({ at, operator }) => {
      return operator === 'OpenAI' && at >= '2026-11-11' && at < '2026-11-21';
    });
    expect(inRange.length).toBeGreaterThan(500);
    const records = await readRecords(id, 'operator=OpenAI&addresses=include');
    const counts = (matching: StoredVisit[], identity: keyof typeof RESULTS) => {
      const found = matching.filter(({ result }) => result === RESULTS[identity]);
      const sizes = found.flatMap(({ extra }) => (extra as { response_size_in_bytes: number } | undefined) ?? []);
      return {
        fetches: found.length,
        bytes: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size.response_size_in_bytes, 0),
        sized_fetches: sizes.length,
        distinct_paths: new Set(found.map(({ path }) => path!.split('?')[0])).size,
      };
    };
    for (const total of select(records, 'total')) expect(total).toMatchObject(counts(inRange, total['identity']));
    const agentRecords = select(records, 'agent');
    expect(agentRecords).toHaveLength(9);
    for (const record of agentRecords) {
      const ofAgent = inRange.filter(({ agent }) => agent === record['agent']);
      expect(record).toMatchObject(counts(ofAgent, record['identity']));
    }
    const purposes = select(records, 'purpose');
    for (const record of purposes) {
      const ofAgents = inRange.filter(({ agent }) => record['agents'].includes(agent));
      expect(record).toMatchObject(counts(ofAgents, record['identity']));
    }
    expect(new Set(purposes.flatMap((record) => record['purposes'])).size).toBeGreaterThan(2);
    const byIdentity = (matching: StoredVisit[]) =>
      Object.fromEntries(
        Object.entries(RESULTS).map(([identity, result]) => [
          identity,
          matching.filter((visit) => visit.result === result).length,
        ]),
      );
    const days = select(records, 'day');
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 10 }, (_, index) => `2026-11-${11 + index}`));
    for (const record of days) {
      const onDay = inRange.filter(({ at }) => at.startsWith(record['day']));
      expect(record).toMatchObject(byIdentity(onDay));
      expect(record['robots_versions']).toEqual(record['day'] === '2026-11-11' ? [] : [version]);
    }
    const disallowed = inRange.filter(({ insights }) => insights?.robots?.verdict === 'disallowed');
    const lines = select(records, 'disallowed_line');
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [3, 'Disallow: /private'],
      [4, 'Disallow: /*?'],
    ]);
    for (const record of lines) {
      const onLine = disallowed.filter(({ insights }) => insights!.robots!.line === record['line']);
      expect(record).toMatchObject({
        ...byIdentity(onLine),
        version,
        host: 'shop.example',
        user_triggered: onLine.filter(({ agent }) => agent === 'ChatGPT-User').length,
      });
    }
    const times = disallowed.map(({ at }) => at).toSorted();
    expect(select(records, 'disallowed_fetch').map(({ time }) => time)).toEqual(times);
    expect(select(records, 'disallowed_list')).toMatchObject([{ fetches: times.length, listed: times.length }]);
    for (const record of select(records, 'address')) {
      expect(record).toMatchObject(byIdentity(inRange.filter(({ address }) => address === record['address'])));
    }
    expect(select(records, 'robots_version')).toMatchObject([
      {
        id: version,
        host: 'shop.example',
        sha256: createHash('sha256').update(ROBOTS).digest('hex'),
        from: '2026-11-12T06:00:00.000Z',
        until: null,
        is_recorded: true,
        licenses: [{ line: 1, url: 'https://shop.example/license.xml' }],
      },
    ]);
  });

  it('names an API request for each number that returns as many visits', async () => {
    const id = await createProject([]);
    const version = await recordRobots(id);
    await storeVisits(app.database.dataSource, id, NOW, createRandomVisits(300, version));
    const records = await readRecords(id, 'operator=OpenAI');
    const counted = records.filter((record) => 'request' in record && record['record'] !== 'statement');
    expect(counted.length).toBeGreaterThan(20);
    for (const { request, fetches, verified, claimed, spoofed } of counted) {
      const { text } = await app.api('GET', (request as string).replace(/^\/api/, ''));
      const lines = text === '' ? 0 : text.trimEnd().split('\n').length;
      expect([request, lines]).toEqual([request, fetches ?? verified + claimed + spoofed]);
    }
  });

  it('returns the same bytes every time, and both formats are signed with the published key', async () => {
    const id = await createProject([{ at: '2026-11-20T08:00Z', agent: 'GPTBot', operator: 'OpenAI' }]);
    const { keys } = (await app.send('GET', '/.well-known/agent-traffic-statement-keys.json', undefined, {})).body;
    expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', use: 'sig', replaced_at: null }]);
    const hashes: string[] = [];
    for (const format of ['ndjson', 'html'] as const) {
      const [first, second] = [
        await download(id, `operator=OpenAI&format=${format}`),
        await download(id, `operator=OpenAI&format=${format}`),
      ];
      expect(first.status).toBe(200);
      expect(second.text).toBe(first.text);
      expect(first.headers['content-disposition']).toBe(
        `attachment; filename="shop-statement-openai-2026-11-11-2026-11-20.${format}"`,
      );
      const bytes = Buffer.from(first.text);
      expect(verifyStatement(bytes, keys)).toEqual({ isValid: true, keyId: keys[0].kid, format });
      if (format === 'ndjson') hashes.push(createHash('sha256').update(bytes).digest('hex'));
      else expect(first.text).toContain(hashes[0]);
    }
  });

  it('lists gaps: days without visits, deleted fetches, and fetches that were reported late', async () => {
    const visit = { agent: 'GPTBot', operator: 'OpenAI' };
    const id = await createProject([
      { ...visit, at: '2026-11-20T12:00Z', path: '/recent' },
      { ...visit, at: '2026-11-13T08:00Z', path: '/late' },
      { at: '2026-11-12T08:00Z', path: '/person' },
      { ...visit, at: '2026-11-13T09:00Z', address: '203.0.113.77' },
    ]);
    expect((await app.api('POST', '/visits/delete', { address: '203.0.113.77' })).status).toBe(200);
    const gaps = select(await readRecords(id, 'operator=openai'), 'gap');
    expect(gaps.map(({ kind, first_day, last_day, fetches }) => [kind, first_day, last_day, fetches])).toEqual([
      ['no_visits', '2026-11-11', '2026-11-11', null],
      ['no_visits', '2026-11-14', '2026-11-19', null],
      ['not_stored', '2026-11-13', '2026-11-13', 1],
      ['late', '2026-11-13', '2026-11-13', 1],
      ['no_robots', '2026-11-11', '2026-11-20', null],
    ]);
  });

  it('contains addresses only on request', async () => {
    const id = await createProject([
      {
        at: '2026-11-20T08:00Z',
        agent: 'GPTBot',
        operator: 'OpenAI',
        address: '203.0.113.7',
        insights: { robots: { verdict: 'disallowed', version: agentId('x'), line: 2 } },
      },
    ]);
    for (const format of ['html', 'ndjson']) {
      expect((await download(id, `operator=OpenAI&format=${format}`)).text).not.toContain('203.0.113.7');
      const withAddresses = await download(id, `operator=OpenAI&format=${format}&addresses=include`);
      expect(withAddresses.text).toContain('203.0.113.7');
    }
  });

  it('ignores invalid sizes, which earlier versions accepted', async () => {
    const sizes = ['1234', -1, 1.5, 100, 200];
    const id = await createProject(
      sizes.map((size, index) => ({
        at: `2026-11-20T08:0${index}Z`,
        agent: 'GPTBot',
        operator: 'OpenAI',
        path: '/',
        extra: { response_size_in_bytes: size },
      })),
    );
    const totals = select(await readRecords(id, 'operator=OpenAI'), 'total');
    expect(totals.find(({ fetches }) => fetches === sizes.length)).toMatchObject({ bytes: 300, sized_fetches: 2 });
  });

  it('escapes hostile operator names, agents, paths and robots.txt lines', async () => {
    const hostile = '"><script>alert(1)</script><!--\u001b]52;c;x\u0007\u202e\u009b31m';
    const id = await createProject(
      [
        {
          at: '2026-11-20T08:00Z',
          agent: `Bot${hostile}`,
          type: hostile,
          operator: hostile,
          path: `/${hostile}-->`,
          insights: { robots: { verdict: 'disallowed', version: agentId('x'), line: 2 } },
        },
      ],
      `Shop <script>`,
    );
    await app.api('POST', `/projects/${id}/robots-versions`, {
      text: `License: https://x.example/<script>${'\u202e'}`,
    });
    const query = `operator=${encodeURIComponent(hostile)}`;
    const html = (await download(id, query)).text;
    expect(html).not.toContain('<script');
    expect(escapeInvisible(html, '\n')).toBe(html);
    expect(html.match(/<!--/g)).toHaveLength(1);
    const ndjson = (await download(id, `${query}&format=ndjson`)).text;
    expect(ndjson).toMatch(/^[\n\x20-\x7e]+$/);
    // A browser shows text if the file is renamed to HTML.
    expect(ndjson).not.toMatch(/[<>&]/);
    expect(select(await readRecords(id, query), 'disallowed_fetch')).toMatchObject([{ path: `/${hostile}-->` }]);
  });

  it('finds the lines of robots.txt by their numbers, with any line endings', async () => {
    const id = await createProject([]);
    const { body } = await app.api('POST', `/projects/${id}/robots-versions`, {
      text: 'User-agent: *\r\n\r\nDisallow: /a\rDisallow: /b\n Disallow: /c',
    });
    const lines = [5, 1, 4, 3, 2, 6].map((line) => ({ version: body.id as string, line }));
    const find = await app.nest
      .get(RobotsHistoryService, { strict: false })
      .findLines(id, [...lines, { version: agentId('x'), line: 1 }]);
    expect(lines.map(({ version, line }) => find(version, line))).toEqual([
      'Disallow: /c',
      'User-agent: *',
      'Disallow: /b',
      'Disallow: /a',
      '',
      null,
    ]);
    expect(find(agentId('x'), 1)).toBeNull();
  });

  it('rejects a range with too many licenses in robots.txt', async () => {
    const id = await createProject([]);
    const record = (version: number) =>
      app.api('POST', `/projects/${id}/robots-versions`, {
        text: `License: https://x.example/${version}${'x'.repeat(1_900)}\n`.repeat(240),
        served_from: `2026-11-1${version}T06:00:00Z`,
      });
    for (let version = 1; version <= 5; version += 1) expect((await record(version)).status).toBe(201);
    const history = app.nest.get(RobotsHistoryService, { strict: false });
    const list = (to: string) => history.list(id, { from: Date.parse('2026-11-11'), to: Date.parse(to) });
    expect(await list('2026-11-13')).toHaveLength(2);
    await expect(list('2026-11-20')).rejects.toThrow('too many License');
  });

  it.each([
    ['operator=Nobody', '/operator', 'is neither the operator'],
    ['', '/operator', 'is required'],
    ['operator=OpenAI&to=2026-11-22', '/to', 'must be today (UTC) or earlier'],
    ['operator=OpenAI&from=2026-11-21', '/from', 'must be before to'],
    ['operator=OpenAI&from=2025-11-01', '/from', 'must be at most 366 days before to'],
    ['operator=OpenAI&from=2026-11-11T08:00:00Z', '/from', 'must be the start of a UTC day'],
    ['operator=OpenAI&format=pdf', '/format', 'must be one of'],
    ['operator=OpenAI&addresses=yes', '/addresses', 'must be one of'],
  ])('rejects the query "%s"', async (query, pointer, detail) => {
    const id = await createProject([]);
    const { status, body } = await app.api('GET', `/projects/${id}/statement?to=2026-11-21&${query}`);
    expect([status, body.errors[0].pointer, body.errors[0].detail]).toEqual([
      422,
      pointer,
      expect.stringContaining(detail),
    ]);
  });

  it('records each statement in the audit log', async () => {
    const id = await createProject([]);
    await download(id, 'operator=OpenAI&addresses=include');
    const { entries } = (await app.api('GET', `/audit-entries?project=${id}&change=done`)).body;
    expect(entries).toMatchObject([
      {
        operation: 'createStatement',
        subject: { type: 'visits', id },
        after: { operator: 'OpenAI', from: '2026-11-11', to: '2026-11-21', format: 'html', addresses: 'include' },
      },
    ]);
  });
});

describe('POST /api/statement-keys', () => {
  it('replaces the key, and earlier statements can still be checked', async () => {
    const id = await createProject([]);
    const before = Buffer.from((await download(id, 'operator=OpenAI')).text);
    const { status, body: created } = await app.api('POST', '/statement-keys', {});
    expect(status).toBe(200);
    const { keys } = (await app.send('GET', '/.well-known/agent-traffic-statement-keys.json', undefined, {})).body;
    expect(keys).toHaveLength(2);
    expect(keys[0]).toEqual(created);
    expect(keys[1].replaced_at).not.toBeNull();
    const after = Buffer.from((await download(id, 'operator=OpenAI')).text);
    expect(verifyStatement(before, keys)).toMatchObject({ isValid: true, keyId: keys[1].kid });
    expect(verifyStatement(after, keys)).toMatchObject({ isValid: true, keyId: keys[0].kid });
    const rows = await app.database.dataSource.query('SELECT FROM statement_keys WHERE private_key IS NOT NULL');
    expect(rows).toHaveLength(1);
  });

  it('checks the private key before the response starts', async () => {
    const id = await createProject([]);
    const update = `UPDATE statement_keys SET private_key = '\\x00' WHERE replaced_at IS NULL`;
    await app.database.dataSource.query(update);
    expect((await download(id, 'operator=OpenAI')).status).toBe(500);
    await app.api('POST', '/statement-keys', {});
    expect((await download(id, 'operator=OpenAI')).status).toBe(200);
  });
});

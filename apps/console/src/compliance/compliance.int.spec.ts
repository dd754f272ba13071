import { agentId, TEST_AGENT } from '#libs/catalog';
import {
  ComplianceSchema,
  MAX_LISTED_LINE_LENGTH,
  validator,
  type Compliance,
  type RobotsVerdict,
} from '#libs/contracts';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { RobotsLinesRepository } from './robots-lines.repository.js';
import type { DataSource } from 'typeorm';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const VERSION = '01a0a0a0-0000-7000-8000-000000000001';
const ROBOTS_TXT = 'User-agent: *\r\nDisallow: /private/  # not for you\r\nDisallow: /cart\r\n';
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const CHATGPT_USER = { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI' };

/** Compiles the schema without `$id`s, because the validator rejects a schema that contains one of them twice. */
const schema = validator(
  JSON.parse(JSON.stringify(ComplianceSchema, (key, value: unknown) => (key === '$id' ? undefined : value))) as never,
);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function createProject(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

/** Reads the report, and checks that the roll-up of counts doesn't change it. */
async function read(id: string, query = ''): Promise<Compliance> {
  const first = await readOnce(id, query);
  for (const now of [NOW, NOW + 24 * HOUR_MS]) {
    await rollUpCounts(app.database.dataSource, now);
    expect(withoutFileTimes(await readOnce(id, query))).toEqual(withoutFileTimes(first));
  }
  return first;
}
/** Omits the times of the last fetches, which the roll-up rounds down to the day. */
const withoutFileTimes = (report: Compliance): string =>
  JSON.stringify(report, (key, value: unknown) => (key === 'last_at' ? undefined : value));
async function readOnce(id: string, query: string): Promise<Compliance> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/compliance${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as Compliance;
}

async function readDisregarded(id: string, token: string): Promise<Json> {
  return (await app.api('GET', `/projects/${id}/compliance/${agentId(token)}`)).body;
}

const minutesAgo = (minutes: number, visit: Omit<StoredVisit, 'at'>): StoredVisit => ({
  at: new Date(NOW - minutes * 60_000).toISOString(),
  ...visit,
});
const createInsights = (verdict: RobotsVerdict, line: number | null = null) => ({
  insights: { robots: { verdict, version: verdict === 'unknown' ? null : VERSION, line } },
});
const findAgent = ({ agents }: Compliance, token: string): Json =>
  agents.find(({ agent_id: id }) => id === agentId(token)) as unknown as Json;

describe('GET /api/projects/{id}/compliance', () => {
  it('counts robots.txt verdicts, responses, lines and paths by agent', async () => {
    const id = await createProject([
      minutesAgo(300, { ...GPTBOT, path: '/', ...createInsights('allowed') }),
      minutesAgo(200, { ...GPTBOT, path: '/private/a?x=1', ...createInsights('disallowed', 2), result: 'verified' }),
      minutesAgo(100, { ...GPTBOT, path: '/private/a', status: 403, ...createInsights('disallowed', 2) }),
      minutesAgo(90, { ...GPTBOT, path: '/cart', status: 404, ...createInsights('disallowed', 3) }),
      minutesAgo(80, { ...CLAUDEBOT, status: 403, ...createInsights('allowed') }),
      minutesAgo(70, { ...CLAUDEBOT, ...createInsights('unreachable') }),
      minutesAgo(60, { ...CLAUDEBOT, ...createInsights('unknown') }),
      minutesAgo(50, { ...CLAUDEBOT, ...createInsights('no_rules') }),
      // One visit stored before verdicts existed, and one by a visitor that isn't an agent.
      minutesAgo(40, CLAUDEBOT),
      minutesAgo(30, { path: '/private/a' }),
    ]);
    const report = await read(id);
    expect(findAgent(report, 'GPTBot')).toMatchObject({
      agent_token: 'GPTBot',
      operator_name: 'OpenAI',
      is_user_triggered: false,
      allowed: 1,
      disallowed: 3,
      disallowed_verified: 1,
      disallowed_served: 1,
      disallowed_forbidden: 1,
      allowed_forbidden: 0,
      first_disallowed_at: new Date(NOW - 200 * 60_000).toISOString(),
      last_disallowed_at: new Date(NOW - 90 * 60_000).toISOString(),
    });
    expect((await readDisregarded(id, 'GPTBot')).paths).toEqual([
      { path: '/private/a', visits: 2 },
      { path: '/cart', visits: 1 },
    ]);
    expect(await readDisregarded(id, 'ClaudeBot')).toEqual({ lines: [], paths: [] });
    expect(findAgent(report, 'ClaudeBot')).toMatchObject({
      allowed: 1,
      disallowed: 0,
      unreachable: 1,
      unknown: 1,
      no_rules: 1,
      allowed_forbidden: 1,
      first_disallowed_at: null,
    });
    expect(report.totals).toMatchObject({
      allowed: 2,
      disallowed: 3,
      disallowing_agents: 1,
      disallowed_forbidden: 1,
      allowed_forbidden: 1,
      unreachable: 1,
      unknown: 1,
      other: 0,
    });
    expect(report.agents.map(({ agent_token: token }) => token)).toEqual(['GPTBot', 'ClaudeBot']);
  });

  it('returns the text of robots.txt lines if the version that contains them is stored', async () => {
    const id = await createProject([
      minutesAgo(20, { ...GPTBOT, path: '/private/a', ...createInsights('disallowed', 2) }),
      minutesAgo(10, { ...GPTBOT, path: '/private/b', ...createInsights('disallowed', 2) }),
      minutesAgo(10, {
        ...GPTBOT,
        path: '/c',
        insights: { robots: { verdict: 'disallowed', version: agentId('gone'), line: 9 } },
      }),
    ]);
    await storeVersion(id, VERSION, ROBOTS_TXT);
    expect((await readDisregarded(id, 'GPTBot')).lines).toMatchObject([
      { version: VERSION, line: 2, text: 'Disallow: /private/  # not for you', visits: 2 },
      { line: 9, text: null, visits: 1 },
    ]);
  });

  it('extracts many lines from several files without reading more than it returns', async () => {
    const long = `Disallow: /${'a'.repeat(100_000)}`;
    const texts = Array.from(
      { length: 5 },
      (_, index) => `User-agent: *\r${long}\nDisallow: /${index}\r\n${'\n'.repeat(400_000)}Disallow: /end${index}`,
    );
    const versions = texts.map((_, index) => agentId(`version ${index}`));
    const lines = [1, 2, 3, 5, 400_004].flatMap((line) => versions.map((version) => ({ version, line })));
    const id = await createProject([]);
    for (const [index, version] of versions.entries())
      await storeVersion(id, version, texts[index]!, `${index}.example`);
    let bytes = 0;
    const dataSource = {
      query: async (text, parameters) => {
        const rows = await app.database.dataSource.query(text, parameters);
        bytes += JSON.stringify(rows).length;
        return rows;
      },
    } as Pick<DataSource, 'query'> as DataSource;
    const found = await new RobotsLinesRepository(dataSource).find(id, lines);
    expect(found).toEqual(
      [
        () => 'User-agent: *',
        () => long.slice(0, MAX_LISTED_LINE_LENGTH),
        (index: number) => `Disallow: /${index}`,
        () => '',
        (index: number) => `Disallow: /end${index}`,
      ].flatMap((getText) => versions.map((_, index) => getText(index))),
    );
    expect(bytes).toBeLessThan(lines.length * MAX_LISTED_LINE_LENGTH);
  });

  it('counts spoofed and user-triggered visits separately', async () => {
    const id = await createProject([
      minutesAgo(9, {
        ...GPTBOT,
        path: '/private/a',
        ...createInsights('disallowed', 2),
        result: 'verification_failed',
      }),
      minutesAgo(8, { ...GPTBOT, path: '/robots.txt', ...createInsights('allowed'), result: 'verification_failed' }),
      minutesAgo(7, { ...CHATGPT_USER, path: '/private/a', ...createInsights('disallowed', 2) }),
      minutesAgo(6, { ...CHATGPT_USER, ...createInsights('allowed') }),
    ]);
    const report = await read(id);
    expect(findAgent(report, 'GPTBot')).toMatchObject({
      disallowed: 0,
      allowed: 0,
      spoofed: 2,
      spoofed_disallowed: 1,
      first_disallowed_at: null,
      last_robots_fetch_at: null,
    });
    expect(findAgent(report, 'ChatGPT-User')).toMatchObject({ is_user_triggered: true, disallowed: 1 });
    expect(report.totals).toMatchObject({
      allowed: 0,
      disallowed: 0,
      disallowing_agents: 0,
      spoofed: 2,
      spoofed_disallowed: 1,
      user_triggered: 2,
      user_triggered_disallowed: 1,
    });
    expect(await readDisregarded(id, 'GPTBot')).toEqual({ lines: [], paths: [] });
    expect(report.files).toEqual([]);
  });

  it("doesn't count the test agent, which only visits when someone tries something", async () => {
    const id = await createProject([
      minutesAgo(1, { agent: TEST_AGENT.token, type: 'Developer Helper', ...createInsights('allowed') }),
      minutesAgo(2, { ...GPTBOT, ...createInsights('allowed') }),
    ]);
    const { agents, totals } = await read(id);
    expect(agents.map(({ agent_id: one }) => one)).toEqual([agentId('GPTBot')]);
    expect(totals.allowed).toBe(1);
  });

  it('counts disallowed visits by agents that fetched robots.txt in the preceding 24 hours', async () => {
    const disallowed = { path: '/private/a', ...createInsights('disallowed', 2) };
    const fetched = { path: '/robots.txt', ...createInsights('allowed') };
    const id = await createProject([
      // Visits before any fetch, 23 hours after a fetch, and 25 hours after it.
      minutesAgo(60 * 60, { ...GPTBOT, ...disallowed }),
      minutesAgo(50 * 60, { ...GPTBOT, ...fetched }),
      minutesAgo(27 * 60, { ...GPTBOT, ...disallowed }),
      minutesAgo(25 * 60, { ...GPTBOT, ...disallowed }),
      // The fetch is before the range, but less than 24 hours before the visit.
      minutesAgo(80 * 60, { ...CLAUDEBOT, ...fetched }),
      minutesAgo(59 * 60, { ...CLAUDEBOT, ...disallowed }),
    ]);
    const from = new Date(NOW - 61 * HOUR_MS).toISOString();
    const report = await read(id, `?from=${from}`);
    expect(findAgent(report, 'GPTBot')).toMatchObject({
      read_before: { visits: 1, of: 3 },
      last_robots_fetch_at: '2026-11-19T06:30:00.000Z',
    });
    expect(findAgent(report, 'ClaudeBot')).toMatchObject({ read_before: { visits: 1, of: 1 } });
  });

  it('counts fetches of files intended for agents', async () => {
    const id = await createProject([
      minutesAgo(9, { ...GPTBOT, path: '/robots.txt?a' }),
      minutesAgo(8, { ...GPTBOT, path: '/robots.txt', status: 503 }),
      minutesAgo(7, { ...GPTBOT, path: '/.well-known/ucp', status: 404 }),
      minutesAgo(6, { ...GPTBOT, path: '/llms.txt' }),
      minutesAgo(5, { ...GPTBOT, path: '/llms.txt.bak' }),
    ]);
    const { files } = await read(id);
    expect(files.map(({ path, visits, served, failed }) => [path, visits, served, failed])).toEqual([
      ['/robots.txt', 2, 1, 1],
      ['/.well-known/ucp', 1, 0, 1],
      ['/llms.txt', 1, 1, 0],
    ]);
    expect(files[0]).toMatchObject({ agent_token: 'GPTBot', is_user_triggered: false });
  });

  it('counts the answers to fetches of files by agents and unknown visitors', async () => {
    const html = { extra: { response_headers: { 'content-type': 'text/html' } } };
    const id = await createProject([
      ...[200, 403, 404].map((status) =>
        minutesAgo(9, { ...GPTBOT, path: '/.well-known/mcp/server-card.json', status }),
      ),
      minutesAgo(30, { ...GPTBOT, path: '/.well-known/mcp/other.json', status: 202 }),
      minutesAgo(9, { path: '/llms.txt', ...html }),
      minutesAgo(9, { path: '/llms.txt', keptAs: 'counted' }),
      minutesAgo(9, { path: '/.well-known/anything' }),
    ]);
    const { files, unknown_files: unknown, robots_refused: refused } = await read(id);
    const none = { file: 0, html: 0, redirect: 0, challenge: 0, not_found: 0, refused: 0, error: 0 };
    expect(files).toMatchObject([
      {
        path: '/.well-known/mcp/*',
        purpose: 'MCP server',
        visits: 4,
        served: 2,
        failed: 2,
        answers: { ...none, file: 1, challenge: 1, not_found: 1, refused: 1 },
        last_at: '2026-11-21T08:15:00.000Z',
      },
    ]);
    expect(unknown).toEqual([
      {
        path: '/llms.txt',
        purpose: 'Content for models',
        visits: 2,
        answers: { ...none, file: 1, html: 1 },
        last_at: '2026-11-21T08:15:00.000Z',
      },
    ]);
    expect(refused).toBeNull();
  });

  it('reads the counts of files that version 0.1.0 stored', async () => {
    const counted = (group: string) =>
      minutesAgo(9, {
        ...GPTBOT,
        dimensions: [
          ['agent_file', JSON.stringify([agentId('GPTBot'), group, '/.well-known/agent-skills/index.json'])],
        ],
      });
    const id = await createProject(['served', 'served', '403', 'failed', 'none'].map(counted));
    const { files } = await read(id);
    expect(files).toMatchObject([{ path: '/.well-known/agent-skills/*', visits: 5, served: 2, failed: 2 }]);
    expect(Object.values(files[0]!.answers)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it("reports agents that don't get robots.txt", async () => {
    const fetched = { path: '/robots.txt', status: 403 };
    const id = await createProject([
      ...[1, 2, 3, 4].map((minutes) => minutesAgo(minutes, { ...GPTBOT, ...fetched })),
      minutesAgo(5, { ...GPTBOT, path: '/robots.txt' }),
      minutesAgo(5, { ...CHATGPT_USER, ...fetched, status: 202 }),
      ...[1, 2, 3].map((minutes) => minutesAgo(minutes, { ...CLAUDEBOT, ...fetched, result: 'verification_failed' })),
      ...[1, 2, 3].map((minutes) => minutesAgo(minutes, fetched)),
    ]);
    const { robots_refused: refused } = await read(id);
    expect(refused).toMatchObject({
      visits: 5,
      fetches: 6,
      answers: { refused: 4, challenge: 1, file: 1 },
      agents: [
        { agent_token: 'GPTBot', visits: 4 },
        { agent_token: 'ChatGPT-User', visits: 1 },
      ],
    });
  });

  it('ignores HTML instead of robots.txt if this instance got the file', async () => {
    const html = { path: '/robots.txt', extra: { response_headers: { 'content-type': 'text/html' } } };
    const id = await createProject([1, 2, 3, 4, 5].map((minutes) => minutesAgo(minutes, { ...GPTBOT, ...html })));
    const storeFetched = (host: string, text: string) =>
      app.database.dataSource.query(
        `WITH kept AS (INSERT INTO robots_texts (digest, text, is_cut) VALUES (sha256($3::text::bytea), $3, false) RETURNING digest)
         INSERT INTO robots_hosts (project_id, host, next_fetch_at, digest) SELECT $1, $2, now(), digest FROM kept`,
        [id, host, text],
      );
    const refused = async () => (await readOnce(id, '')).robots_refused;
    expect(await refused()).toMatchObject({ visits: 5 });
    await storeFetched('shop.example', '\uFEFFUser-Agent : *\rDisallow: /cart');
    expect(await refused()).toBeNull();
    await storeFetched('www.shop.example', '<html><p>User-agent: *</p></html>');
    expect(await refused()).toMatchObject({ visits: 5 });
  });

  it('lists entire files, so that sums by file are right', async () => {
    const paths = Array.from({ length: 170 }, (_, index) => `/.well-known/${index}`);
    const agents = [GPTBOT, CLAUDEBOT, CHATGPT_USER];
    const id = await createProject(paths.flatMap((path) => agents.map((agent) => minutesAgo(1, { ...agent, path }))));
    const { files } = await readOnce(id, '');
    const sizes = [...Map.groupBy(files, ({ path }) => path).values()].map((rows) => rows.length);
    expect(sizes).toEqual(Array.from({ length: 167 }, () => agents.length));
  });

  it('returns empty lists if there are no visits, and rejects a range that ends before it starts', async () => {
    const id = await createProject([]);
    expect(await read(id)).toMatchObject({
      agents: [],
      files: [],
      unknown_files: [],
      robots_refused: null,
    });
    const { status } = await app.api('GET', `/projects/${id}/compliance?from=2026-11-21&to=2026-11-20`);
    expect(status).toBe(422);
  });
});

async function storeVersion(projectId: string, id: string, text: string, host = 'shop.example'): Promise<void> {
  await app.database.dataSource.query(
    `WITH kept AS (INSERT INTO robots_texts (digest, text, is_cut) VALUES (sha256($3::text::bytea), $3, false) RETURNING digest)
     INSERT INTO robots_versions (id, project_id, host, served_from, status, digest, is_recorded)
     SELECT $1, $2, $4, '2026-01-01', 200, digest, false FROM kept`,
    [id, projectId, text, host],
  );
}

it('counts the formats that agents asked for and got, with filters that find the same visits', async () => {
  const negotiated = (agent: object, accept: string | null, type: string | null, more: object = {}) =>
    minutesAgo(30, {
      ...agent,
      ...more,
      extra: {
        ...(accept !== null && { request_headers: { accept } }),
        ...(type !== null && { response_headers: { 'content-type': type } }),
      },
    });
  const markdown = 'text/markdown, text/html;q=0.9, */*;q=0.1';
  const id = await createProject([
    ...Array.from({ length: 3 }, () => negotiated(CLAUDEBOT, markdown, 'text/html; charset=utf-8')),
    ...Array.from({ length: 2 }, () => negotiated(CLAUDEBOT, markdown, 'text/markdown')),
    negotiated(CLAUDEBOT, '*/*', 'text/html'),
    negotiated(GPTBOT, '*/*', null),
    negotiated(GPTBOT, null, 'application/json'),
    // None of these count.
    negotiated(GPTBOT, null, null),
    negotiated(CLAUDEBOT, markdown, 'text/html', { status: 404 }),
    negotiated(CLAUDEBOT, markdown, 'text/html', { result: 'verification_failed' }),
    negotiated({}, markdown, 'text/html'),
  ]);
  const { formats } = await read(id);
  const key = ({ agent_token: token, requested, response, visits }: Compliance['formats'][number]): string =>
    `${token} ${requested} ${response} ${visits}`;
  expect(formats.map(key).slice(0, 2)).toEqual(['ClaudeBot markdown html 3', 'ClaudeBot markdown markdown 2']);
  expect(formats.map(key).slice(2).toSorted()).toEqual([
    'ClaudeBot any html 1',
    'GPTBot any none 1',
    'GPTBot none json 1',
  ]);
  for (const { agent_token: agent, requested, response, visits } of formats) {
    const query = new URLSearchParams({
      agent: agent!,
      requested_format: requested,
      response_format: response,
      status: '2xx',
      not_result: 'verification_failed',
    });
    expect((await app.api('GET', `/projects/${id}/visits?${query}`)).body.visits).toHaveLength(visits);
  }
});

import { agentId } from '#libs/catalog';
import {
  ComplianceSchema,
  MAX_LISTED_LINE_LENGTH,
  validator,
  type Compliance,
  type RobotsVerdict,
} from '#libs/contracts';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { RobotsLinesRepository } from './robots-lines.repository.js';
import type { DataSource } from 'typeorm';
import { storeVisits, sumUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const VERSION = '01a0a0a0-0000-7000-8000-000000000001';
const ROBOTS_TXT = 'User-agent: *\r\nDisallow: /private/  # not for you\r\nDisallow: /cart\r\n';
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const CHATGPT_USER = { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI' };

/** Without `$id`s, because the validator rejects a schema that contains the same one twice. */
const schema = validator(
  JSON.parse(JSON.stringify(ComplianceSchema, (key, value: unknown) => (key === '$id' ? undefined : value))) as never,
);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function project(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

/** Reads the report, and checks that summing up counts doesn't change it. */
async function read(id: string, query = ''): Promise<Compliance> {
  const first = await readOnce(id, query);
  for (const now of [NOW, NOW + 24 * HOUR_MS]) {
    await sumUpCounts(app.database.dataSource, now);
    expect(await readOnce(id, query)).toEqual(first);
  }
  return first;
}
async function readOnce(id: string, query: string): Promise<Compliance> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/compliance${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as Compliance;
}

async function disregarded(id: string, token: string): Promise<Json> {
  return (await app.api('GET', `/projects/${id}/compliance/${agentId(token)}`)).body;
}

const ago = (minutes: number, visit: Omit<StoredVisit, 'at'>): StoredVisit => ({
  at: new Date(NOW - minutes * 60_000).toISOString(),
  ...visit,
});
const judged = (verdict: RobotsVerdict, line: number | null = null) => ({
  insights: { robots: { verdict, version: verdict === 'unknown' ? null : VERSION, line } },
});
const agentOf = ({ agents }: Compliance, token: string): Json =>
  agents.find(({ agent_id: id }) => id === agentId(token)) as unknown as Json;

describe('GET /api/projects/{id}/compliance', () => {
  it('counts verdicts, responses, lines and paths by agent', async () => {
    const id = await project([
      ago(300, { ...GPTBOT, path: '/', ...judged('allowed') }),
      ago(200, { ...GPTBOT, path: '/private/a?x=1', ...judged('disallowed', 2), result: 'verified' }),
      ago(100, { ...GPTBOT, path: '/private/a', status: 403, ...judged('disallowed', 2) }),
      ago(90, { ...GPTBOT, path: '/cart', status: 404, ...judged('disallowed', 3) }),
      ago(80, { ...CLAUDEBOT, status: 403, ...judged('allowed') }),
      ago(70, { ...CLAUDEBOT, ...judged('unreachable') }),
      ago(60, { ...CLAUDEBOT, ...judged('unknown') }),
      ago(50, { ...CLAUDEBOT, ...judged('no_rules') }),
      // A visit from before verdicts existed, and one of a visitor that isn't an agent.
      ago(40, CLAUDEBOT),
      ago(30, { path: '/private/a' }),
    ]);
    const report = await read(id);
    expect(agentOf(report, 'GPTBot')).toMatchObject({
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
    expect((await disregarded(id, 'GPTBot')).paths).toEqual([
      { path: '/private/a', visits: 2 },
      { path: '/cart', visits: 1 },
    ]);
    expect(await disregarded(id, 'ClaudeBot')).toEqual({ lines: [], paths: [] });
    expect(agentOf(report, 'ClaudeBot')).toMatchObject({
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

  it('shows the text of lines while their version is available', async () => {
    const id = await project([
      ago(20, { ...GPTBOT, path: '/private/a', ...judged('disallowed', 2) }),
      ago(10, { ...GPTBOT, path: '/private/b', ...judged('disallowed', 2) }),
      ago(10, {
        ...GPTBOT,
        path: '/c',
        insights: { robots: { verdict: 'disallowed', version: agentId('gone'), line: 9 } },
      }),
    ]);
    await keepVersion(id, VERSION, ROBOTS_TXT);
    expect((await disregarded(id, 'GPTBot')).lines).toMatchObject([
      { version: VERSION, line: 2, text: 'Disallow: /private/  # not for you', visits: 2 },
      { line: 9, text: null, visits: 1 },
    ]);
  });

  it('extracts many lines of several files without reading more than is shown', async () => {
    const long = `Disallow: /${'a'.repeat(100_000)}`;
    const texts = Array.from(
      { length: 5 },
      (_, index) => `User-agent: *\r${long}\nDisallow: /${index}\r\n${'\n'.repeat(400_000)}Disallow: /end${index}`,
    );
    const versions = texts.map((_, index) => agentId(`version ${index}`));
    const lines = [1, 2, 3, 5, 400_004].flatMap((line) => versions.map((version) => ({ version, line })));
    const id = await project([]);
    for (const [index, version] of versions.entries())
      await keepVersion(id, version, texts[index]!, `${index}.example`);
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
      ].flatMap((textOf) => versions.map((_, index) => textOf(index))),
    );
    expect(bytes).toBeLessThan(lines.length * MAX_LISTED_LINE_LENGTH);
  });

  it('counts spoofed and user-triggered visits separately', async () => {
    const id = await project([
      ago(9, { ...GPTBOT, path: '/private/a', ...judged('disallowed', 2), result: 'verification_failed' }),
      ago(8, { ...GPTBOT, path: '/robots.txt', ...judged('allowed'), result: 'verification_failed' }),
      ago(7, { ...CHATGPT_USER, path: '/private/a', ...judged('disallowed', 2) }),
      ago(6, { ...CHATGPT_USER, ...judged('allowed') }),
    ]);
    const report = await read(id);
    expect(agentOf(report, 'GPTBot')).toMatchObject({
      disallowed: 0,
      allowed: 0,
      spoofed: 2,
      spoofed_disallowed: 1,
      first_disallowed_at: null,
      last_robots_fetch_at: null,
    });
    expect(agentOf(report, 'ChatGPT-User')).toMatchObject({ is_user_triggered: true, disallowed: 1 });
    expect(report.totals).toMatchObject({
      allowed: 0,
      disallowed: 0,
      disallowing_agents: 0,
      spoofed: 2,
      spoofed_disallowed: 1,
      user_triggered: 2,
      user_triggered_disallowed: 1,
    });
    expect(await disregarded(id, 'GPTBot')).toEqual({ lines: [], paths: [] });
    expect(report.files).toEqual([]);
  });

  it('counts disallowed visits of agents that read robots.txt in the 24 hours before', async () => {
    const disallowed = { path: '/private/a', ...judged('disallowed', 2) };
    const fetched = { path: '/robots.txt', ...judged('allowed') };
    const id = await project([
      // Before any fetch, 23 hours after one, and 25 hours after it.
      ago(60 * 60, { ...GPTBOT, ...disallowed }),
      ago(50 * 60, { ...GPTBOT, ...fetched }),
      ago(27 * 60, { ...GPTBOT, ...disallowed }),
      ago(25 * 60, { ...GPTBOT, ...disallowed }),
      // The fetch is before the range, but within 24 hours of the visit.
      ago(80 * 60, { ...CLAUDEBOT, ...fetched }),
      ago(59 * 60, { ...CLAUDEBOT, ...disallowed }),
    ]);
    const from = new Date(NOW - 61 * HOUR_MS).toISOString();
    const report = await read(id, `?from=${from}`);
    expect(agentOf(report, 'GPTBot')).toMatchObject({
      read_before: { visits: 1, of: 3 },
      last_robots_fetch_at: '2026-11-19T06:30:00.000Z',
    });
    expect(agentOf(report, 'ClaudeBot')).toMatchObject({ read_before: { visits: 1, of: 1 } });
  });

  it('counts fetches of files for agents and outcomes of paid crawling', async () => {
    const answered = (headers: object, status = 200) => ({ status, extra: { response_headers: headers } });
    const id = await project([
      ago(9, { ...GPTBOT, path: '/robots.txt?a' }),
      ago(8, { ...GPTBOT, path: '/robots.txt', status: 503 }),
      ago(7, { ...GPTBOT, path: '/.well-known/ucp', status: 404 }),
      ago(6, { ...GPTBOT, path: '/llms.txt' }),
      ago(5, { ...GPTBOT, path: '/llms.txt.bak' }),
      ago(4, { ...GPTBOT, ...answered({ 'Crawler-Price': 'USD 0.01' }, 402) }),
      ago(4, { ...GPTBOT, ...answered({ 'crawler-price': ['USD 0.01'] }, 402) }),
      ago(3, { ...GPTBOT, ...answered({ 'crawler-charged': 'USD 0.01' }) }),
      ago(2, { ...GPTBOT, ...answered({ 'crawler-error': 'PaymentFailed' }, 403) }),
      ago(1, { ...GPTBOT, headers: { 'Crawler-Max-Price': 'USD 0.02' } }),
    ]);
    const { files, paid_crawl: paid } = await read(id);
    expect(files.map(({ path, visits, served, failed }) => [path, visits, served, failed])).toEqual([
      ['/robots.txt', 2, 1, 1],
      ['/.well-known/ucp', 1, 0, 1],
      ['/llms.txt', 1, 1, 0],
    ]);
    expect(files[0]).toMatchObject({ agent_token: 'GPTBot', is_user_triggered: false });
    expect(paid.map(({ outcome, detail, visits }) => [outcome, detail, visits])).toEqual([
      ['payment_required', 'USD 0.01', 2],
      ['charged', 'USD 0.01', 1],
      ['offered', '', 1],
      ['refused', 'PaymentFailed', 1],
    ]);
  });

  it('returns empty lists without visits and rejects a range that ends before it starts', async () => {
    const id = await project([]);
    expect(await read(id)).toMatchObject({ agents: [], files: [], paid_crawl: [], is_sampled: false });
    const { status } = await app.api('GET', `/projects/${id}/compliance?from=2026-11-21&to=2026-11-20`);
    expect(status).toBe(422);
  });
});

async function keepVersion(projectId: string, id: string, text: string, host = 'shop.example'): Promise<void> {
  await app.database.dataSource.query(
    `WITH kept AS (INSERT INTO robots_texts (digest, text, is_cut) VALUES (sha256($3::text::bytea), $3, false) RETURNING digest)
     INSERT INTO robots_versions (id, project_id, host, served_from, status, digest, is_recorded)
     SELECT $1, $2, $4, '2026-01-01', 200, digest, false FROM kept`,
    [id, projectId, text, host],
  );
}

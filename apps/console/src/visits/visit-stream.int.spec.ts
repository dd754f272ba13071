import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listVisits, UNTIMED_FILTERS } from '#libs/contracts';
import { readQuery } from '#libs/platform';
import { matcherOf, TimelineRepository } from '#libs/visit-store';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { VisitStreamService } from './visit-stream.service.js';

const NOW = Date.parse('2026-11-21T08:31:05.250Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1_000).toISOString();

/** One visit of each kind, including edge cases. */
const VISITS: StoredVisit[] = [
  {
    at: at(0),
    agent: 'GPTBot',
    type: 'AI Data Scraper',
    operator: 'OpenAI',
    path: '/',
    result: 'verified',
    address: '192.0.2.7',
  },
  {
    at: at(0.001),
    agent: 'gptbot',
    type: 'AI Data Scraper',
    operator: 'OpenAI',
    path: '/shop?q=1',
    status: 404,
    address: '192.0.2.8',
  },
  { at: at(1), agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic', path: '/Shop', status: 403.5 },
  { at: at(2), agent: 'CCBot', type: 'AI Data Scraper', path: '/shop/1?x=%25', result: 'verification_failed' },
  {
    at: at(2.5),
    agent: 'CCBot',
    path: '/private',
    insights: { robots: { verdict: 'disallowed', version: null, line: null } },
  },
  { at: at(3), agent: 'Own', type: 'Uncategorized', operator: 'openai', path: '/shöp/%_\\', status: 500 },
  { at: at(60), path: '/shop', status: 599, address: '2001:db8:7::1' },
  {
    at: at(60.5),
    path: '/shop?',
    address: '203.0.113.7',
    insights: { automation: { verdict: 'likely', signs: ['isbot'], user_agent_group: 'AcmeFetch/*' } },
  },
  {
    at: at(60.75),
    path: '/shop/2',
    insights: { referral: { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' } },
  },
  { at: at(61), path: '/\u{1F916}/a', status: 600 },
  { at: at(62), path: 'no-slash', extra: { response_status_code: null } },
  { at: at(63), path: '/nul\u0000/x', extra: { response_status_code: 0 } },
  {
    at: at(3_600),
    agent: 'GPTBot',
    path: '/mcp',
    extra: { mcp_request_method: 'tools/call', mcp_request_tool_name: 'find' },
  },
  { at: at(3_601), path: '/mcp', extra: { mcp_request_tool_name: 'Find', ucp_response_body: { a: 1 } } },
  { at: at(3_602), path: '/pay', extra: { acp_response_body: {}, mcp_request_method: null } },
  { at: at(86_400), agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google', result: 'not_verifiable' },
];

const QUERIES = [
  '',
  'agent=gptbot',
  'agent=GPTBot&agent=claudebot',
  'agent=nobody',
  'type=AI+Data+Scraper',
  'type=Uncategorized&type=Search+Engine+Crawler',
  'operator=OpenAI',
  'operator=openai&operator=Google',
  'result=verified',
  'result=verification_failed',
  'result=verification_failed&result=unknown_agent',
  'path=/shop',
  'path=/shop&path=/mcp',
  `path=${encodeURIComponent('/shöp/%_\\')}`,
  `path=${encodeURIComponent('/\u{1F916}')}`,
  `path=${encodeURIComponent('/nul\uFFFD')}`,
  'path=no',
  'page=/shop',
  'page=/mcp&page=/shop/1',
  'address=192.0.2.7',
  'address=192.0.2.9/29&address=2001:db8::/32',
  'status=404',
  'status=403',
  'status=4xx',
  'status=5xx&status=0',
  'status=6xx',
  'mcp_tool=find',
  'robots=disallowed',
  'robots=disallowed&robots=unknown',
  'not_robots=disallowed',
  'automation=likely',
  'automation=likely&automation=unlikely',
  'not_automation=likely',
  'assistant=ChatGPT',
  'not_assistant=ChatGPT&not_assistant=Claude',
  'user_agent_group=AcmeFetch%2F*',
  'user_agent_group=AcmeFetch%2F*&user_agent_group=Other%2F*',
  'not_user_agent_group=AcmeFetch%2F*',
  'mcp_tool=find&mcp_tool=Find',
  'kind=mcp',
  'kind=page',
  'kind=ucp&kind=acp',
  `from=${at(3)}`,
  `to=${at(3)}`,
  `from=${at(0.001)}&to=${at(0)}`,
  `from=${at(3_600)}&to=${at(1)}&kind=page&result=unknown_agent`,
  'not_agent=gptbot',
  'not_type=AI+Data+Scraper&type=Uncategorized',
  'not_operator=OpenAI&not_operator=Google',
  'not_result=unknown_agent',
  'not_result=verification_failed',
  'not_path=/shop',
  'not_page=/shop&path=/',
  'not_address=192.0.2.0/24',
  'not_status=4xx&not_status=200',
  'not_mcp_tool=find',
  'not_kind=page',
  'not_kind=mcp&not_kind=ucp',
  'agent=gptbot&status=2xx&path=/&type=AI+Data+Scraper&operator=OpenAI&result=verified',
];

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
});

async function newProject(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  if (visits.length > 0) await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

const parametersOf = (query: string): Record<string, string[]> => {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
};

describe('filters', () => {
  it('match the same visits in memory and in the database', async () => {
    const id = await newProject(VISITS);
    const timeline = app.nest.get(TimelineRepository);
    const { visits: all } = await timeline.after(id, [], 1_000);
    expect(all).toHaveLength(VISITS.length);
    const selective = new Set<string>();
    for (const text of QUERIES) {
      const query = readQuery(listVisits, parametersOf(text));
      const fits = matcherOf(query) ?? (() => true);
      const bySql = (await timeline.page(id, { ...query, limit: 1_000 })).documents.toSorted();
      const byHand = all.filter(fits).map(({ document }) => document);
      expect([text, byHand.toSorted()]).toEqual([text, bySql]);
      const names = new Set(new URLSearchParams(text).keys());
      if (names.size === 1 && bySql.length > 0 && bySql.length < VISITS.length) selective.add([...names][0]!);
    }
    // Every filter must match some visits but not all. Otherwise both sides could miss values that aren't stored.
    const filters = Object.keys(UNTIMED_FILTERS).filter((name) => !name.startsWith('not_'));
    expect(filters.filter((name) => !selective.has(name))).toEqual([]);
  });
});

describe('GET /api/projects/{id}/visits/stream', () => {
  async function follow(id: string, query: string) {
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const path = `/api/projects/${id}/visits/stream?${query}`;
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ port, path, headers: { authorization: `Bearer ${app.apiKey}` } }, resolve);
    });
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
    return { text: () => text, hasEnded: () => response.complete, end: () => response.destroy() };
  }
  const sum = (text: string, event: string): number =>
    [...text.matchAll(new RegExp(`event: ${event}\\n(?:id: [\\d.]+\\n)?data: {"visits":(\\d+)}`, 'g'))].reduce(
      (total, [, visits]) => total + Number(visits),
      0,
    );
  const pathsIn = (text: string): string[] => [...text.matchAll(/"request_path":"([^"]+)"/g)].map(([, path]) => path!);

  it('sends every matching visit and counts the others', async () => {
    const id = await newProject([]);
    const stream = await follow(id, 'path=/rare&max_per_second=20');
    await until(() => stream.text().includes('event: opened'), { what: 'it is open' });
    const visits = Array.from({ length: 600 }, (_, index) => ({
      at: at(0),
      path: index % 60 === 59 ? `/rare/${index}` : `/often/${index}`,
    }));
    await storeVisits(app.database.dataSource, id, NOW, visits);
    await until(() => sum(stream.text(), 'filtered') === 590, { what: 'the others are counted' });
    expect(pathsIn(stream.text())).toEqual(visits.map(({ path }) => path).filter((path) => path.startsWith('/rare')));
    expect(sum(stream.text(), 'skipped')).toBe(0);
    stream.end();
  });

  it('applies the rate cap to matching visits only', async () => {
    const id = await newProject([]);
    const stream = await follow(id, 'status=404&max_per_second=3');
    await until(() => stream.text().includes('event: opened'), { what: 'it is open' });
    const visits = Array.from({ length: 50 }, (_, index) => ({ at: at(0), status: index % 5 === 0 ? 404 : 200 }));
    await storeVisits(app.database.dataSource, id, NOW, visits);
    await until(() => sum(stream.text(), 'filtered') === 40, { what: 'the others are counted' });
    expect([pathsIn(stream.text()).length, sum(stream.text(), 'skipped')]).toEqual([3, 7]);
    stream.end();
  });

  it.each([
    ['status=x', '/status'],
    ['result=sure', '/result'],
    ['max_per_second=0', '/max_per_second'],
    ['last_event_id=x', '/last_event_id'],
    ['last_event_id=1.', '/last_event_id'],
    ['limit=5', '/limit'],
  ])('rejects %s', async (query, pointer) => {
    const id = await newProject([]);
    const { status, body } = await app.api('GET', `/projects/${id}/visits/stream?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('ends streams on shutdown, and refuses new ones', async () => {
    const id = await newProject([]);
    const stream = await follow(id, '');
    await until(() => stream.text().includes('event: opened'), { what: 'it is open' });
    app.nest.get(VisitStreamService).beforeApplicationShutdown();
    await until(() => stream.hasEnded(), { what: 'it has ended' });
    expect((await app.api('GET', `/projects/${id}/visits/stream`)).status).toBe(503);
  });
});

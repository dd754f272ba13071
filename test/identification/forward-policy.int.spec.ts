import { randomUUID } from 'node:crypto';
import { ACCESS_CHANNEL, type PolicyRule } from '#libs/contracts';
import { PubSub } from '#libs/cache';
import { parseDecisions } from '#libs/policy';
import { App, type TestResponse } from '../kit/app.js';
import { BROWSER, GOOGLEBOT } from '../kit/client.js';
import { until } from '../kit/instance.js';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
/** Address in a range that Google publishes for Googlebot. */
const GOOGLE_ADDRESS = '66.249.66.1';
const REFUSE = { kind: 'refuse' } as const;

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

interface Project {
  id: string;
  token: string;
}

async function createProject(rules: PolicyRule[] = []): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const token = (await app.api('POST', `/projects/${id}/tokens`, {})).body.token;
  if (rules.length > 0) await savePolicy(id, rules);
  return { id, token };
}

async function savePolicy(projectId: string, rules: PolicyRule[]): Promise<void> {
  await app.database.dataSource.query('INSERT INTO policy_versions (id, project_id, rules) VALUES ($1, $2, $3)', [
    randomUUID(),
    projectId,
    JSON.stringify(rules),
  ]);
  await app.nest.get(PubSub).publish(ACCESS_CHANNEL, '');
}

const rule = (action: PolicyRule['action'], parts: Partial<PolicyRule> = {}): PolicyRule => ({
  id: randomUUID(),
  name: 'Rule',
  mode: 'live',
  action,
  ...parts,
});

const check = (
  { token }: Project,
  userAgent: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<TestResponse> =>
  app.send('GET', `/agent-verifications/forward${query}`, undefined, {
    authorization: `Bearer ${token}`,
    'user-agent': userAgent,
    'x-forwarded-for': '198.51.100.7',
    'x-original-uri': '/private/a?b=c',
    ...headers,
  });

const getDecisions = ({ headers }: TestResponse) => parseDecisions(String(headers['agent-traffic-decision']));

async function countDecisions(projectId: string): Promise<Record<string, number>> {
  const rows: { key: string; decisions: string }[] = await app.database.dataSource.query(
    `SELECT concat_ws(' ', rule_id, mode, outcome) AS key, decisions FROM policy_decisions WHERE project_id = $1`,
    [projectId],
  );
  return Object.fromEntries(rows.map(({ key, decisions }) => [key, Number(decisions)]));
}

it.each<[PolicyRule['action'], number, Record<string, string>, string]>([
  [REFUSE, 403, {}, 'The rules of this site do not let this agent fetch this page.\n'],
  [
    { kind: 'charge', price: 'EUR 0,01 für eine Seite', url: 'https://shop.example/prices' },
    402,
    { link: '<https://shop.example/prices>; rel="payment"' },
    'This agent has to pay for this page: EUR 0,01 für eine Seite. See https://shop.example/prices\n',
  ],
  [
    { kind: 'redirect', status: 301, location: '/{path}.md' },
    301,
    { location: '/private/a.md?b=c' },
    'This page is at /private/a.md?b=c\n',
  ],
  [{ kind: 'redirect', status: 308, location: '/docs' }, 308, { location: '/docs?b=c' }, 'This page is at /docs?b=c\n'],
])('responds to the agent as the policy determines: %j', async (action, status, headers, text) => {
  const matching = rule(action);
  const shop = await createProject([matching]);
  const response = await check(shop, GPTBOT);
  expect([response.status, response.text]).toEqual([status, text]);
  expect(response.headers).toMatchObject({
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'agent-traffic-agent': 'GPTBot',
    'agent-traffic-result': 'not_verifiable',
  });
  expect(getDecisions(response)).toMatchObject([{ mode: 'live', ruleId: matching.id }]);
  const forNginx = await check(shop, GPTBOT, {}, '?status=403');
  expect(forNginx.status).toBe(403);
  expect(forNginx.headers).toMatchObject({ ...headers, 'agent-traffic-status': String(status) });
  expect(Buffer.from(String(forNginx.headers['agent-traffic-message']), 'latin1').toString()).toBe(text.trim());
  expect((await check(shop, BROWSER)).status).toBe(204);
  for (const path of ['/robots.txt', '/.well-known/agents.json']) {
    const exempt = await check(shop, GPTBOT, { 'x-original-uri': path });
    expect([exempt.status, exempt.headers['agent-traffic-decision']]).toEqual([204, '-']);
  }
});

it('lets exactly the limit through per minute, with separate allowances for verified visitors', async () => {
  const slowDown = rule({ kind: 'slow_down', requests_per_minute: 5 });
  const shop = await createProject([slowDown]);
  const send = async (verified: boolean) =>
    (await check(shop, GOOGLEBOT, { 'x-forwarded-for': verified ? GOOGLE_ADDRESS : '198.51.100.7' })).status;
  const impostors = await Promise.all(Array.from({ length: 20 }, () => send(false)));
  expect(impostors.filter((status) => status === 204)).toHaveLength(5);
  const verified = await Promise.all(Array.from({ length: 20 }, () => send(true)));
  expect(verified.filter((status) => status === 204)).toHaveLength(5);
  const slowed = await check(shop, GOOGLEBOT);
  const seconds = Number(slowed.headers['retry-after']);
  expect([slowed.status, slowed.text]).toEqual([
    429,
    `This agent has sent too many requests. Try again in ${seconds} s.\n`,
  ]);
  expect(seconds >= 1 && seconds <= 60).toBe(true);
  expect((await check(shop, GPTBOT)).status).toBe(204);
});

it('only reports and counts the decisions of rules in dry run', async () => {
  const [slowDown, refuse] = [
    rule({ kind: 'slow_down', requests_per_minute: 2 }, { mode: 'dry_run' }),
    rule(REFUSE, { visitors: { agent_tokens: ['Googlebot'] } }),
  ];
  const shop = await createProject([slowDown, refuse]);
  for (let count = 0; count < 3; count += 1) expect((await check(shop, GPTBOT)).status).toBe(204);
  const refused = await check(shop, GOOGLEBOT);
  expect([refused.status, getDecisions(refused)]).toEqual([
    403,
    [
      { outcome: 'refused', mode: 'live', ruleId: refuse.id },
      { outcome: 'allowed', mode: 'dry_run', ruleId: slowDown.id },
    ],
  ]);
  await until(async () => Object.keys(await countDecisions(shop.id)).length === 3, { condition: 'counts are stored' });
  expect(await countDecisions(shop.id)).toEqual({
    [`${slowDown.id} dry_run allowed`]: 3,
    [`${slowDown.id} dry_run slowed`]: 1,
    [`${refuse.id} live refused`]: 1,
  });
});

it('applies saved robots.txt rules only if no live rule matches', async () => {
  const shop = await createProject();
  await app.api('POST', `/projects/${shop.id}/rules-versions`, { agent_types: ['AI Data Scraper'], format: 'text' });
  const waitForStatus = (status: number) =>
    until(async () => (await check(shop, GPTBOT)).status === status, { condition: `the status is ${status}` });
  await waitForStatus(403);
  await savePolicy(shop.id, [rule({ kind: 'allow' })]);
  await waitForStatus(204);
  await savePolicy(shop.id, [rule({ kind: 'allow' }, { mode: 'dry_run' })]);
  await waitForStatus(403);
  const blocked = await check(shop, GPTBOT, {}, '?status=403');
  expect(blocked.headers).toMatchObject({ 'agent-traffic-status': '403' });
});

it('applies saved robots.txt rules to other spellings of a path that a rule allows', async () => {
  const shop = await createProject([rule({ kind: 'allow' }, { requests: { paths: ['/public/'] } })]);
  const rules = { agent_types: ['AI Data Scraper'], disallow: '/private/', format: 'blocks' };
  await app.api('POST', `/projects/${shop.id}/rules-versions`, rules);
  await until(async () => (await check(shop, GPTBOT)).status === 403, { condition: 'the rules take effect' });
  const getStatus = async (path: string) => (await check(shop, GPTBOT, { 'x-original-uri': path })).status;
  expect(await getStatus('/public/../private/a')).toBe(403);
  expect(await getStatus('/public/private/')).toBe(204);
});

it('applies conditions on requests, and both paths and methods if headers contradict each other', async () => {
  const shop = await createProject([
    rule(REFUSE, { requests: { paths: ['/private/'], methods: ['POST'], hosts: ['shop.example'] } }),
  ]);
  const headers = { 'x-original-method': 'POST', 'x-forwarded-host': 'Shop.Example' };
  expect((await check(shop, GPTBOT, headers)).status).toBe(403);
  expect((await check(shop, GPTBOT, { ...headers, 'x-original-method': 'GET' })).status).toBe(204);
  expect((await check(shop, GPTBOT, { ...headers, 'x-forwarded-host': 'other.example' })).status).toBe(204);
  expect((await check(shop, GPTBOT, { ...headers, 'x-original-uri': '/' })).status).toBe(204);
  expect((await check(shop, GPTBOT, { ...headers, 'x-forwarded-uri': '/robots.txt' })).status).toBe(403);
  expect((await check(shop, GPTBOT, { ...headers, 'x-forwarded-method': 'GET' })).status).toBe(403);
  expect((await check(shop, GPTBOT, { ...headers, 'x-forwarded-host': 'shop.example.:443' })).status).toBe(403);
});

it('acts on likely automated visitors only if a rule includes them, with an allowance per address', async () => {
  const shop = await createProject([
    rule({ kind: 'slow_down', requests_per_minute: 1 }, { visitors: { likely_automated: true } }),
  ]);
  const script = 'my-fetcher/1.0';
  const statuses: number[] = [];
  for (const address of ['198.51.100.7', '198.51.100.7', '198.51.100.8'])
    statuses.push((await check(shop, script, { 'x-forwarded-for': address })).status);
  expect(statuses).toEqual([204, 429, 204]);
  const person = { accept: 'text/html', 'accept-encoding': 'gzip', 'accept-language': 'en' };
  for (let count = 0; count < 3; count += 1) expect((await check(shop, BROWSER, person)).status).toBe(204);
});

it('refuses agents and people from a network', async () => {
  const shop = await createProject([rule(REFUSE, { visitors: { networks: ['198.51.100.0/24'] } })]);
  expect((await check(shop, GPTBOT)).status).toBe(403);
  expect((await check(shop, BROWSER)).status).toBe(403);
  expect((await check(shop, GPTBOT, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(204);
});

it('never redirects to another site or splits headers', async () => {
  const shop = await createProject([rule({ kind: 'redirect', status: 301, location: '/{path}.md' })]);
  const redirect = async (path: string) =>
    (await check(shop, GPTBOT, { 'x-original-uri': Buffer.from(path).toString('latin1') })).headers['location'];
  expect(await redirect('//evil.example/')).toBe('/evil.example/.md');
  expect(await redirect('/\\evil.example')).toBe('/evil.example.md');
  expect(await redirect('/käse\t')).toBe('/k%C3%A4se%09.md');
});

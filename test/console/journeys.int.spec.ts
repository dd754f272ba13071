import { agentId } from '#libs/catalog';
import {
  createBatchId,
  createVisitId,
  getPage,
  JourneySchema,
  JourneysSchema,
  JourneySummarySchema,
  validator,
  type EnrichedVisit,
  type Journey,
  type JourneyFilters,
  type Journeys,
  type JourneySummary,
  type JourneyVisitor,
} from '#libs/contracts';
import type { TSchema } from 'typebox';
import { App } from '../kit/app.js';
import '../kit/dispose-all.js';
import { createLatestSnapshot } from '../kit/snapshot.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';
import { SeededRandom } from '../../libs/demo/src/seeded-random.js';
import { SessionReader } from '../../apps/console/src/journeys/session-reader.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const GAP_MS = 30 * MINUTE_MS;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAYS = 4;
const FROM = NOW - 3 * DAY_MS;

/** Visitor of the generated walks. */
interface Walker {
  visitor: JourneyVisitor;
  agent: string | null;
  type: string | null;
  network: string | null;
  isSigned: boolean;
  fields: Partial<StoredVisit>;
  /** Returns a random address in the visitor's network. */
  address: (random: SeededRandom) => string | null;
}

interface Step {
  id: string;
  at: number;
  path: string;
  status: number;
  kind: 'page' | 'mcp' | 'acp';
}

/** Session that the generator walked. */
interface Walk {
  walker: Walker;
  steps: Step[];
}

const AGENTS: [visitor: JourneyVisitor, agent: string, type: string][] = [
  ['assistant', 'ChatGPT-User', 'AI Assistant'],
  ['assistant', 'Claude-User', 'AI Assistant'],
  ['coding_agent', 'Claude-Code', 'AI Coding Agent'],
];
const SIGNER = 'SigningAgent';
const NO_FILTERS: JourneyFilters = {
  agent: null,
  type: null,
  visitor: null,
  entry: null,
  exit: null,
  dead_end: null,
  dead_end_page: null,
  dead_end_cause: null,
  min_visits: 1,
  checkout: null,
};
const PATHS = [
  '/',
  '/docs',
  '/docs?page=2',
  '/docs?page=3',
  '/products/1',
  '/products/1.md',
  '/products/2?color=red',
  '/search?q=a',
];

function createWalkers(): Walker[] {
  const walkers: Walker[] = [];
  const add = (visitor: JourneyVisitor, fields: Partial<StoredVisit>, number: number): void => {
    const isV6 = number % 3 === 0;
    const prefix = isV6 ? `2001:db8:${number.toString(16)}` : `198.51.${number}`;
    walkers.push({
      visitor,
      agent: fields.agent ?? null,
      type: fields.type ?? null,
      network: isV6 ? `${prefix}::/48` : `${prefix}.0/24`,
      isSigned: false,
      fields,
      address: (random) =>
        isV6
          ? `${prefix}:${random.nextBelow(9) + 1}::${random.nextBelow(9) + 1}`
          : `${prefix}.${random.nextBelow(256)}`,
    });
  };
  AGENTS.forEach(([visitor, agent, type], index) => {
    for (let number = 1; number <= 6; number += 1)
      add(visitor, { agent, type, result: 'verified' }, index * 10 + number);
  });
  const program = (group: string): Partial<StoredVisit> => ({
    insights: { automation: { verdict: 'likely', signs: [], user_agent_group: group } },
  });
  for (let number = 1; number <= 5; number += 1) {
    // Different programs in the same network are different visitors.
    add('unknown', program('python-requests/*'), number);
    add('unknown', program('curl/*'), number);
    add('mcp_client', { ...program('mcp-sdk/*'), extra: { mcp_request_method: 'tools/list' }, method: 'POST' }, number);
  }
  for (const key of ['key-1', 'key-2']) {
    walkers.push({
      visitor: 'assistant',
      agent: SIGNER,
      type: 'AI Agent',
      network: null,
      isSigned: true,
      fields: {
        agent: SIGNER,
        type: 'AI Agent',
        result: 'verified',
        evidence: {
          steps: [{ method: 'http_message_signature', outcome: 'verified', reason: 'ok', label: 'sig1', key_id: key }],
        },
      },
      address: (random) => `203.0.${random.nextBelow(100)}.1`,
    });
  }
  walkers.push({
    visitor: 'assistant',
    agent: 'Perplexity-User',
    type: 'AI Assistant',
    network: null,
    isSigned: false,
    fields: { agent: 'Perplexity-User', type: 'AI Assistant' },
    address: () => null,
  });
  return walkers;
}

/** Walks all visitors through the site, and returns their sessions with the visits in random order. */
function generate(random: SeededRandom): { walks: Walk[]; visits: (StoredVisit & { step: Step | null })[] } {
  const walks: Walk[] = [];
  const visits: (StoredVisit & { step: Step | null })[] = [];
  for (const walker of createWalkers()) {
    for (let at = NOW - DAYS * DAY_MS + random.nextBelow(8 * HOUR_MS); at < NOW;) {
      const steps: Step[] = [];
      const isLong = random.chance(0.05);
      for (let length = isLong ? 50 : 1 + random.nextBelow(9); length > 0 && at < NOW; length -= 1) {
        const isMcp = walker.visitor === 'mcp_client';
        const isCheckout = !isMcp && walker.agent !== null && steps.length > 1 && random.chance(0.08);
        const path = isMcp ? '/mcp' : isCheckout ? '/checkout_sessions' : random.pickEarly(PATHS);
        const status = random.chance(0.1) ? random.pick([404, 403, 500, 503]) : 200;
        const step: Step = { id: '', at, path, status, kind: isMcp ? 'mcp' : isCheckout ? 'acp' : 'page' };
        steps.push(step);
        const address = walker.address(random);
        visits.push({
          ...walker.fields,
          at: new Date(at).toISOString(),
          path,
          status,
          ...(address !== null && { address }),
          ...(isCheckout && { method: 'POST', extra: { acp_response_body: { id: `c${at}`, status: 'completed' } } }),
          step,
        });
        at += random.pick([0, 0, 1, 900, 20_000, 5 * MINUTE_MS, GAP_MS - 1, GAP_MS, isLong ? GAP_MS : 1]);
      }
      walks.push({ walker, steps });
      // The pause starts at the last visit.
      at = steps.at(-1)!.at + random.pick([GAP_MS + 1, GAP_MS + 2, 2 * HOUR_MS, 5 * HOUR_MS]);
    }
  }
  for (let number = 0; number < 3_000; number += 1) {
    const at = new Date(NOW - random.nextBelow(DAYS * DAY_MS)).toISOString();
    const path = random.pick(PATHS);
    visits.push(
      number % 3 === 0
        ? { at, path, address: '198.51.1.1', step: null }
        : { at, path, agent: 'GPTBot', type: 'AI Data Scraper', address: '198.51.1.1', step: null },
    );
  }
  for (let index = visits.length - 1; index > 0; index -= 1) {
    const other = random.nextBelow(index + 1);
    [visits[index], visits[other]] = [visits[other]!, visits[index]!];
  }
  return { walks, visits };
}

const isBefore = (one: Step, other: Step): number => one.at - other.at || (one.id < other.id ? -1 : 1);
const isError = ({ status }: Step): boolean => status >= 400;

function findLoops({ steps }: Walk): string[] {
  const pages = steps.filter(({ kind }) => kind === 'page').map(({ path }) => path);
  return [...new Set(pages)].filter((path) => pages.filter((page) => page === path).length >= 3);
}

const describeWalk = (walk: Walk): Partial<Journey> => {
  const { walker, steps } = walk;
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const isLong = last.at - first.at > DAY_MS;
  if (isLong) throw new Error('The generator should not create sessions longer than a day');
  return {
    id: last.id,
    visitor: walker.visitor,
    agent_id: walker.agent === null ? null : agentId(walker.agent),
    agent_type_name: walker.type,
    user_agent_group: walker.fields.insights?.automation?.user_agent_group ?? null,
    distinguished_by: walker.isSigned ? 'signature_key' : walker.network === null ? 'none' : 'network',
    network: walker.network,
    started_at: new Date(first.at).toISOString(),
    ended_at: new Date(last.at).toISOString(),
    duration_ms: last.at - first.at,
    started_earlier: false,
    visits: steps.length,
    entry: getPage(first.path),
    exit: getPage(last.path),
    client_errors: steps.filter(({ status }) => status >= 400 && status < 500).length,
    refused_visits: 0,
    server_errors: steps.filter(({ status }) => status >= 500).length,
    loops: findLoops(walk).length,
    checkout_visits: steps.filter(({ kind }) => kind === 'acp').length,
  };
};

function countTop(values: readonly string[]) {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([page, sessions]) => ({ page, sessions })).toSorted(byCount);
}

const byCount = (one: { page: string; sessions: number }, other: { page: string; sessions: number }): number =>
  other.sessions - one.sessions || (one.page < other.page ? -1 : 1);

const clean = (schema: TSchema) =>
  validator(
    JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value))) as TSchema,
  );
const schemas = { list: clean(JourneysSchema), one: clean(JourneySchema), summary: clean(JourneySummarySchema) };

let app: App;
let project: string;
let emptyProject: string;
/** Sessions that ended in the range, most recently ended first. */
let walks: Walk[];
/** Times of all visits that belong to sessions. */
let times: number[];

beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  const agent = {
    token: SIGNER,
    type: 'AI Agent',
    operator: null,
    url: null,
    user_agent_patterns: [SIGNER],
    robots_token: null,
    verification: { signature_agents: ['https://signer.example'] },
  };
  expect(await app.api('POST', '/agents', agent)).toMatchObject({ status: 201 });
  const create = async (name: string) => (await app.api('POST', '/projects', { name })).body.id as string;
  [project, emptyProject] = [await create('Shop'), await create('Empty')];
  const generated = generate(new SeededRandom(7));
  // Visits arrive in random order, and most of them on another day than they occurred.
  const batches = Object.entries(Object.groupBy(generated.visits, ({ at }) => Math.ceil(Date.parse(at) / DAY_MS)));
  for (const [day, batch] of batches) {
    const received = Math.min(Number(day) * DAY_MS + 5 * HOUR_MS, NOW);
    const batchId = createBatchId(received);
    for (const [index, { step }] of batch!.entries()) if (step !== null) step.id = createVisitId(batchId, index);
    const visits = batch!.map(({ step: _step, ...visit }) => visit);
    await storeVisits(app.database.dataSource, project, received, visits, batchId);
  }
  for (const { steps } of generated.walks) steps.sort(isBefore);
  times = generated.walks.flatMap(({ steps }) => steps.map(({ at }) => at));
  walks = generated.walks
    .filter(({ steps }) => steps.at(-1)!.at >= FROM)
    .toSorted((one, other) => isBefore(other.steps.at(-1)!, one.steps.at(-1)!));
});

async function read<T>(path: string, kind: keyof typeof schemas): Promise<T> {
  const { status, body, text } = await app.api('GET', `/projects/${path}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schemas[kind].faults(body)).toEqual([]);
  return body as T;
}

const RANGE = `from=${new Date(FROM).toISOString()}&to=${new Date(NOW).toISOString()}`;

async function readAll(query = ''): Promise<Journeys['journeys']> {
  const journeys: Journeys['journeys'] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Journeys = await read(`${project}/journeys?${RANGE}${query}${cursor && `&cursor=${cursor}`}`, 'list');
    journeys.push(...page.journeys);
    cursor = page.next_cursor;
  }
  return journeys;
}

it('generates enough sessions of each kind', () => {
  expect(walks.length).toBeGreaterThan(500);
  expect(walks.some(({ steps }) => steps[0]!.at < FROM)).toBe(true);
  expect(walks.filter((walk) => findLoops(walk).length > 0).length).toBeGreaterThan(20);
  expect(walks.filter(({ steps }) => steps.some(({ kind }) => kind === 'acp')).length).toBeGreaterThan(20);
});

it.each([23, 200])('lists every session exactly once with %i per page', async (limit) => {
  expect(await readAll(`&limit=${limit}`)).toMatchObject(walks.map(describeWalk));
});

describe('filters', () => {
  const hasDeadEnd = (walk: Walk): boolean => walk.steps.some(isError) || findLoops(walk).length > 0;
  const hasCheckout = ({ steps }: Walk): boolean => steps.some(({ kind }) => kind === 'acp');

  it.each<[query: string, matches: (walk: Walk) => boolean]>([
    ['agent=ChatGPT-User', ({ walker }) => walker.agent === 'ChatGPT-User'],
    ['agent=ChatGPT-User&agent=GPTBot&limit=200', ({ walker }) => walker.agent === 'ChatGPT-User'],
    ['agent=GPTBot', () => false],
    ['type=AI%20Coding%20Agent&type=AI%20Agent', ({ walker }) => /Coding|AI Agent/.test(walker.type ?? '')],
    ['type=AI%20Data%20Scraper', () => false],
    ['visitor=unknown', ({ walker }) => walker.visitor === 'unknown'],
    ['visitor=mcp_client&visitor=unknown', ({ walker }) => walker.agent === null],
    ['dead_end=yes', hasDeadEnd],
    ['dead_end=no&visitor=assistant', (walk) => !hasDeadEnd(walk) && walk.walker.visitor === 'assistant'],
    ['dead_end_cause=503', ({ steps }) => steps.some(({ status }) => status === 503)],
    [
      'dead_end_cause=404&dead_end_cause=5xx',
      ({ steps }) => steps.some(({ status }) => [404, 500, 503].includes(status)),
    ],
    ['dead_end_cause=loop', (walk) => findLoops(walk).length > 0],
    [
      'dead_end_page=/docs&dead_end_cause=4xx',
      ({ steps }) => steps.some(({ path, status }) => getPage(path) === '/docs' && [403, 404].includes(status)),
    ],
    ['exit=/docs', ({ steps }) => getPage(steps.at(-1)!.path) === '/docs'],
    ['checkout=yes', hasCheckout],
    ['checkout=no&entry=/docs', (walk) => !hasCheckout(walk) && getPage(walk.steps[0]!.path) === '/docs'],
    ['entry=/products/1/&entry=/search', ({ steps }) => /^.(products.1|search)/.test(steps[0]!.path)],
    ['entry=/nowhere', () => false],
    ['min_visits=2', ({ steps }) => steps.length >= 2],
    ['min_visits=4&dead_end=yes', (walk) => walk.steps.length >= 4 && hasDeadEnd(walk)],
  ])('lists the sessions that match %s', async (query, matches) => {
    expect(await readAll(`&${query}`)).toMatchObject(walks.filter(matches).map(describeWalk));
  });
});

it('lists the sessions that ended in a part of the range', async () => {
  for (const hours of [5, 17.25, 40]) {
    const [from, to] = [NOW - (hours + 10) * HOUR_MS, NOW - hours * HOUR_MS];
    const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&limit=200`;
    const { journeys } = await read<Journeys>(`${project}/journeys?${query}`, 'list');
    const isInRange = ({ steps }: Walk): boolean => steps.at(-1)!.at >= from && steps.at(-1)!.at < to;
    expect(journeys).toMatchObject(walks.filter(isInRange).map(describeWalk));
  }
});

describe('pages with few visits per read', () => {
  it.each<[what: string, filters: Partial<JourneyFilters>, matches: (walk: Walk) => boolean]>([
    ['without filters', {}, () => true],
    ['of an entry', { entry: ['/docs'] }, ({ steps }) => getPage(steps[0]!.path) === '/docs'],
    ['of a rare entry', { entry: ['/search'] }, ({ steps }) => getPage(steps[0]!.path) === '/search'],
    ['with dead ends', { dead_end: 'yes' }, (walk) => walk.steps.some(isError) || findLoops(walk).length > 0],
    ['with checkouts', { checkout: 'yes' }, ({ steps }) => steps.some(({ kind }) => kind === 'acp')],
  ])('list sessions %s exactly once', async (_what, filters, matches) => {
    // Each start is found in half of the visits that are read for a page.
    const spans = walks.map(({ steps }) => [steps[0]!.at - GAP_MS, steps.at(-1)!.at] as const);
    const size = Math.max(...spans.map(([from, to]) => times.filter((at) => at >= from && at <= to).length)) + 1;
    expect(size).toBeLessThan(times.length / 4);
    const ids = await readIds({ ...NO_FILTERS, ...filters }, size, Infinity);
    expect(ids).toEqual(walks.filter(matches).map(({ steps }) => steps.at(-1)!.id));
  });

  it('list sessions exactly once with 200 visits per read', async () => {
    expect(await readIds(NO_FILTERS, 200, Infinity)).toEqual(walks.map(({ steps }) => steps.at(-1)!.id));
  });

  it('list sessions exactly once with 5 visits per read', async () => {
    const ids = await readIds(NO_FILTERS, 5, 30);
    expect(ids).toEqual(walks.slice(0, ids.length).map(({ steps }) => steps.at(-1)!.id));
    expect(ids.length).toBeGreaterThanOrEqual(30);
  });

  async function readIds(filters: JourneyFilters, size: number, maxSessions: number): Promise<string[]> {
    const reader = app.nest.get(SessionReader, { strict: false });
    const snapshot = createLatestSnapshot(app.database.dataSource);
    const ids: string[] = [];
    let before: Awaited<ReturnType<typeof reader.readEnded>>['next'] = null;
    do {
      const query = { filters, range: { from: FROM, to: NOW }, before, signers: [agentId(SIGNER)] };
      const page = await reader.readEnded(snapshot, project, query, { limit: 20, visitsPerRead: [size, size] });
      ids.push(...page.sessions.map(({ visits }) => visits.at(-1)!.id));
      before = page.next;
    } while (before !== null && ids.length < maxSessions);
    return ids;
  }
});

it('finds signature keys only in the evidence of the current identification', async () => {
  const project = (await app.api('POST', '/projects', { name: 'Headers' })).body.id as string;
  const createStep = (key: string) => ({
    method: 'http_message_signature',
    outcome: 'verified',
    reason: 'ok',
    label: 'sig1',
    key_id: key,
  });
  const headers = { method: 'http_message_signature', outcome: 'verified', key_id: 'header' };
  /** Header with which a visit is too large for a form. */
  const large = { ['x'.repeat(100_000)]: '' };
  const earlier = { identification: { evidence: { steps: [createStep('earlier')] } } };
  const reidentified = { at: new Date(NOW).toISOString(), earlier } as unknown as EnrichedVisit['reidentified'];
  const byAddress = { steps: [{ method: 'ip_range', outcome: 'verified', reason: 'ok' }] };
  const bySignature = { steps: [createStep('key-3')] };
  const variants: Partial<StoredVisit>[] = [
    { headers, evidence: byAddress },
    { headers: { ...headers, ...large }, evidence: byAddress },
    { headers: { identification: 'x', steps: 'x', ...headers }, evidence: {}, insights: { reidentified } },
    { headers: { ...headers, ...large }, evidence: byAddress, insights: { reidentified } },
    { headers, evidence: bySignature },
    { headers: { ...headers, ...large }, evidence: bySignature, insights: { reidentified } },
  ];
  const visits = variants.map((fields, index): StoredVisit => {
    const at = new Date(NOW - (index + 1) * HOUR_MS).toISOString();
    return { at, agent: SIGNER, type: 'AI Agent', result: 'verified', address: '192.0.2.1', ...fields };
  });
  await storeVisits(app.database.dataSource, project, NOW, visits);
  const query = { filters: NO_FILTERS, range: { from: FROM, to: NOW }, before: null, signers: [agentId(SIGNER)] };
  const { sessions } = await app.nest
    .get(SessionReader, { strict: false })
    .readEnded(createLatestSnapshot(app.database.dataSource), project, query, { limit: 9, visitsPerRead: [9] });
  const keys = sessions.map(({ visits: [visit] }) => visit!.signature_key);
  expect(keys).toEqual([null, null, null, null, 'key-3', 'key-3']);
});

it('summarizes entries, exits, dead ends and pages before a checkout', async () => {
  const summary = await read<JourneySummary>(`${project}/journey-summary?${RANGE}`, 'summary');
  const deadEnds = walks.flatMap((walk) => [
    ...new Set(walk.steps.filter(isError).map(({ path, status }) => `${getPage(path)} ${status}`)),
    ...new Set(findLoops(walk).map((path) => `${getPage(path)} loop`)),
  ]);
  const beforeCheckout = walks.flatMap(({ steps }) => {
    const first = steps.findIndex(({ kind }) => kind === 'acp');
    return [...new Set(steps.slice(0, Math.max(0, first)).map(({ path }) => getPage(path)))];
  });
  const durations = walks.map(({ steps }) => steps.at(-1)!.at - steps[0]!.at).toSorted((one, other) => one - other);
  expect(summary).toMatchObject({
    computed_from: summary.from,
    sessions: walks.length,
    visitors: new Set(walks.map(({ walker }) => walker)).size,
    dead_end_sessions: walks.filter((walk) => walk.steps.some(isError) || findLoops(walk).length > 0).length,
    refused_sessions: 0,
    checkout_sessions: walks.filter(({ steps }) => steps.some(({ kind }) => kind === 'acp')).length,
    undistinguished_sessions: walks.filter(({ walker }) => walker.agent === 'Perplexity-User').length,
    median_duration_ms: durations[Math.floor(durations.length / 2)],
    entries: countTop(walks.map(({ steps }) => getPage(steps[0]!.path))),
    exits: countTop(walks.map(({ steps }) => getPage(steps.at(-1)!.path))),
    before_checkout: countTop(beforeCheckout),
  });
  const sum = (key: Exclude<keyof JourneySummary['series'][number], 'time'>) =>
    summary.series.reduce((total, item) => total + item[key], 0);
  const countWithStatus = (pattern: RegExp) =>
    walks.filter(({ steps }) => steps.some(({ status }) => pattern.test(`${status}`))).length;
  expect(sum('sessions')).toBe(summary.sessions);
  expect(sum('dead_end_sessions')).toBe(summary.dead_end_sessions);
  expect(sum('client_error_sessions')).toBe(countWithStatus(/^4/));
  expect(sum('server_error_sessions')).toBe(countWithStatus(/^5/));
  const found = summary.dead_ends.map(({ page, kind, status, sessions }) => ({
    page: `${page} ${kind === 'loop' ? 'loop' : status}`,
    sessions,
  }));
  expect(found.toSorted(byCount)).toEqual(countTop(deadEnds).slice(0, 50));
  expect(summary.dead_end_causes).toContainEqual({
    kind: 'status',
    status: 503,
    sessions: countWithStatus(/^503$/),
    pages: new Set(deadEnds.filter((page) => page.endsWith(' 503'))).size,
  });
});

it('returns the steps of a session up to a visit', async () => {
  for (const walk of [
    walks[0]!,
    walks.find((one) => one.steps.length > 20)!,
    walks.find(({ walker }) => walker.isSigned)!,
  ]) {
    const { steps } = walk;
    const journey = await read<Journey>(`${project}/journeys/${steps.at(-1)!.id}`, 'one');
    const loops = new Set(findLoops(walk));
    expect(journey).toMatchObject({
      ...describeWalk(walk),
      steps: steps.map(({ id, at, path, status, kind }, index) => ({
        visit_id: id,
        occurred_at: new Date(at).toISOString(),
        gap_ms: index === 0 ? null : at - steps[index - 1]!.at,
        path,
        status,
        kinds: [kind],
        method: kind === 'page' ? 'GET' : 'POST',
        is_loop: loops.has(path),
      })),
    });
    const middle = Math.floor(steps.length / 2);
    const part = await read<Journey>(`${project}/journeys/${steps[middle]!.id}`, 'one');
    expect(part.steps.map(({ visit_id: id }) => id)).toEqual(steps.slice(0, middle + 1).map(({ id }) => id));
  }
});

it('responds with 404 to visits of other projects, of crawlers and of people', async () => {
  const { visits } = (await app.api('GET', `/projects/${project}/visits?agent=GPTBot&limit=1`)).body;
  const people = (await app.api('GET', `/projects/${project}/visits?result=unknown_agent&not_automation=likely`)).body;
  for (const path of [
    `${project}/journeys/${visits[0].id}`,
    `${project}/journeys/${people.visits[0].id}`,
    `${emptyProject}/journeys/${walks[0]!.steps[0]!.id}`,
  ]) {
    expect(await app.api('GET', `/projects/${path}`)).toMatchObject({ status: 404 });
  }
});

it('returns empty lists for a project without visits', async () => {
  const list = await read<Journeys>(`${emptyProject}/journeys`, 'list');
  expect([list.journeys, list.next_cursor]).toEqual([[], null]);
  const summary = await read<JourneySummary>(`${emptyProject}/journey-summary`, 'summary');
  expect(summary).toMatchObject({ sessions: 0, median_duration_ms: null, entries: [], dead_ends: [] });
});

it.each(['visitor=robot', 'dead_end=maybe', 'dead_end_cause=200', 'limit=201', 'cursor=x', 'type=Robot'])(
  'rejects %s and names the parameter',
  async (query) => {
    const { status, body } = await app.api('GET', `/projects/${project}/journeys?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, `/${query.split('=')[0]}`]);
  },
);

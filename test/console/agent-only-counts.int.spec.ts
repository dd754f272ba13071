import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, option, record } from 'fast-check';
import type { Overview } from '#libs/contracts';
import { connectionPool, SHARD_LOCK_KEY } from '#libs/database';
import { App } from '../kit/app.js';
import '../kit/dispose-all.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAY_MS = 86_400_000;
const FROM = Date.parse('2026-11-17T09:15:00Z');
const TO = Date.parse('2026-11-21T00:00:00Z');
const RANGE = `from=${new Date(FROM).toISOString()}&to=${new Date(TO).toISOString()}`;

const AGENTS = ['GPTBot', 'ClaudeBot', 'Googlebot'];
const PAGES = ['/', '/a', '/a?b', '/b', '/c'];

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

const VISIT = record({
  at: integer({ min: 2 * FROM - TO - DAY_MS, max: TO + DAY_MS / 4 }),
  agent: option(constantFrom(...AGENTS)),
  path: constantFrom(...PAGES),
  status: option(constantFrom(200, 404, 500)),
}).map(({ at, agent, path, status }): StoredVisit => ({
  at: new Date(at).toISOString(),
  path,
  ...(agent !== null && { agent }),
  ...(status === null ? { extra: { response_status_code: null } } : { status }),
}));

type Step = { kind: 'store'; visits: StoredVisit[]; shard: number } | { kind: 'sum up'; at: number };

const STEPS = array(
  oneof(
    {
      weight: 4,
      arbitrary: record<Step & { kind: 'store' }>({
        kind: constant('store'),
        visits: array(VISIT, { minLength: 1, maxLength: 40 }),
        shard: integer({ min: 0, max: 2 }),
      }),
    },
    {
      weight: 2,
      arbitrary: record<Step & { kind: 'sum up' }>({
        kind: constant('sum up'),
        at: integer({ min: 2 * FROM - TO, max: TO + DAY_MS }),
      }),
    },
  ),
  { minLength: 1, maxLength: 10 },
);

/** Forces visits into the given shard by locking all the shards before it. */
async function storeInShard(id: string, visits: StoredVisit[], shard: number): Promise<void> {
  const session = await connectionPool(app.database.dataSource).connect();
  try {
    for (let lockedShard = 0; lockedShard < shard; lockedShard += 1) {
      await session.query('SELECT pg_advisory_lock($1, $2)', [SHARD_LOCK_KEY, lockedShard]);
    }
    await storeVisits(app.database.dataSource, id, NOW, visits);
  } finally {
    await session.query('SELECT pg_advisory_unlock_all()');
    session.release();
  }
}

const newProject = async (): Promise<string> => (await app.api('POST', '/projects', { name: 'Shop' })).body.id;

async function overview(id: string, visitors: string): Promise<Overview> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/overview?${RANGE}&visitors=${visitors}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as Overview;
}

const within = (visits: readonly StoredVisit[], from: number, to: number): StoredVisit[] =>
  visits.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);

function expectedRows(now: readonly StoredVisit[], then: readonly StoredVisit[], of: 'path' | 'status') {
  const valueOf = (visit: StoredVisit) => (of === 'path' ? visit.path!.split('?')[0] : visit.status);
  const count = (visits: readonly StoredVisit[], value: unknown): number =>
    visits.filter((visit) => valueOf(visit) === value).length;
  const values = [...new Set(now.map(valueOf).filter((value) => value !== undefined))];
  return values
    .map((value) => ({ value, visits: count(now, value) }))
    .toSorted((one, other) => other.visits - one.visits || (String(one.value) < String(other.value) ? -1 : 1))
    .map(({ value, visits }) => ({
      [of]: value,
      visits,
      previous_visits: count(then, value),
    }));
}

it('returns exact page and status counts for agents and for all visitors', async () => {
  let counted = 0;
  const property = asyncProperty(STEPS, async (steps) => {
    const id = await newProject();
    let visits: StoredVisit[] = [];
    for (const step of steps) {
      if (step.kind === 'sum up') await rollUpCounts(app.database.dataSource, step.at);
      else {
        await storeInShard(id, step.visits, step.shard);
        visits = [...visits, ...step.visits];
      }
    }
    const before = 2 * FROM - TO;
    for (const visitors of ['agents', 'all'] as const) {
      const listed = visitors === 'agents' ? visits.filter(({ agent }) => agent) : visits;
      const [now, then] = [within(listed, FROM, TO), within(listed, before, FROM)];
      const { sample, top_pages: pages, top_statuses: statuses } = await overview(id, visitors);
      expect({ visitors, isRead: sample !== null, pages, statuses }).toEqual({
        visitors,
        isRead: false,
        pages: expectedRows(now, then, 'path'),
        statuses: expectedRows(now, then, 'status'),
      });
      if (visitors === 'agents' && now.length > 0) counted += 1;
    }
  });
  await assert(property, { numRuns: 40 });
  expect(counted).toBeGreaterThan(3);
}, 120_000);

it('limits the pages of agents and other visitors separately without losing visits', async () => {
  const id = await newProject();
  const at = new Date(TO - DAY_MS / 2).toISOString();
  const visitsOf = (name: string, of: Partial<StoredVisit>): StoredVisit[] =>
    Array.from({ length: 300 }, (_, index) => ({ at, path: `/${name}/${index}`, ...of }));
  const both = [...visitsOf('agents', { agent: 'GPTBot' }), ...visitsOf('people', {})];
  await storeVisits(app.database.dataSource, id, NOW, [
    ...both,
    ...[{ agent: 'GPTBot' }, {}, {}].map((who) => ({ at, path: '/', ...who })),
  ]);
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpCounts(app.database.dataSource, TO + DAY_MS);
    const [agents, all] = [await overview(id, 'agents'), await overview(id, 'all')];
    const first = (path: string, visits: number) => ({ path, visits, previous_visits: 0 });
    expect(all.top_pages[0]).toEqual(first('/', 3));
    expect(agents.top_pages.find(({ path }) => path === '/')).toEqual(first('/', 1));
    const sumVisits = ({ top_pages: pages }: Overview): number => pages.reduce((sum, { visits }) => sum + visits, 0);
    expect([agents.sample, sumVisits(agents), sumVisits(all)]).toEqual([null, 301, 603]);
  }
});

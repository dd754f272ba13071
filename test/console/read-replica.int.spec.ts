import { agentId } from '#libs/catalog';
import { createDataSource, migrate } from '#libs/database';
import { register } from 'prom-client';
import { App } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { rollUpCounts, storeVisits, type StoredVisit } from '../kit/stored-visits.js';
import { ReplicatedPostgres } from '../kit/replicated-postgres.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * 86_400_000).toISOString();
const VISITS: StoredVisit[] = Array.from({ length: 200 }, (_, number) => ({
  at: new Date(NOW - number * 600_000).toISOString(),
  path: `/${number % 7}`,
  status: number % 9 === 0 ? 503 : 200,
  ...(number % 3 > 0 && {
    agent: number % 3 === 1 ? 'GPTBot' : 'Googlebot',
    type: 'Crawler',
    operator: number % 3 === 1 ? 'OpenAI' : 'Google',
    result: number % 2 === 0 ? 'verified' : 'verification_failed',
  }),
}));

let postgres: ReplicatedPostgres;
let app: App;
let project: string;

beforeAll(async () => {
  postgres = await ReplicatedPostgres.start();
  const dataSource = await createDataSource({ url: postgres.primary.url, poolSize: 5 }).initialize();
  await migrate(dataSource);
  app = await App.start({
    clock: () => NOW,
    database: { url: postgres.primary.url, dataSource, stop: () => dataSource.destroy() },
    replica: { url: postgres.replicaUrl, maxLagSeconds: 10 },
  });
  project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
  await storeVisits(dataSource, project, NOW, VISITS);
  await rollUpCounts(dataSource, NOW);
}, 60_000);
afterAll(async () => {
  await app?.dispose();
  await postgres?.stop();
});

/** Excludes the newest visit. */
const range = `from=${daysAgo(7)}&to=${daysAgo(0)}`;
const PATHS = [
  `overview?${range}`,
  `overview?${range}&agent=${agentId('GPTBot')}&status=5xx`,
  `agents?${range}`,
  `agents/${agentId('GPTBot')}?${range}`,
  `verification?${range}`,
  `news?${range}`,
  `referrals?${range}`,
  `compliance?${range}`,
  `tools?${range}`,
  `unlisted?${range}`,
  'histogram',
  `visits/count?${range}`,
  `visits/export?${range}&format=ndjson`,
];

async function countReads(source: 'replica' | 'primary'): Promise<number> {
  const { values } = await register.getSingleMetric('agent_traffic_replica_reads_total')!.get();
  return values.find(({ labels }) => labels['source'] === source)?.value ?? 0;
}

async function fetchAll(): Promise<unknown[]> {
  const responses = [];
  for (const path of PATHS) {
    const { status, text } = await app.api('GET', `/projects/${project}/${path}`);
    responses.push({ path, status, text });
  }
  return responses;
}

it('returns the same charts, reports and exports from the replica as from the primary', async () => {
  await until(
    async () => {
      const before = await countReads('replica');
      const { body } = await app.api('GET', `/projects/${project}/visits/count?${range}`);
      return body.visits === VISITS.length - 1 && (await countReads('replica')) > before;
    },
    { condition: 'reads use the replica and see all visits' },
  );
  const primaryReads = await countReads('primary');
  const fromReplica = await fetchAll();
  expect(await countReads('primary')).toBe(primaryReads);

  await postgres.replica.stop();
  const replicaReads = await countReads('replica');
  const fromPrimary = await fetchAll();
  expect(await countReads('replica')).toBe(replicaReads);
  expect(fromReplica).toEqual(fromPrimary);
  expect(fromPrimary).toEqual(PATHS.map((path) => expect.objectContaining({ path, status: 200 })));
}, 60_000);

it('reads the timeline from the primary', async () => {
  const before = [await countReads('replica'), await countReads('primary')];
  expect((await app.api('GET', `/projects/${project}/visits?limit=10`)).body.visits).toHaveLength(10);
  expect([await countReads('replica'), await countReads('primary')]).toEqual(before);
});

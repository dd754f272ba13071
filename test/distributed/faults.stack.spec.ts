import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment, type ServiceName } from '../kit/deployment.js';
import { isFull, outage } from '../kit/faults.js';
import { pause, temporaryFolder, until } from '../kit/instance.js';
import { Load } from '../kit/load.js';

/** Milliseconds after a recovery after which what is not stored counts as lost. */
const BACKLOG_TIMEOUT_MS = 120_000;
const KILLS = isFull ? 20 : 1;
/** Visits between a start and the next kill, at most. */
const MAX_BETWEEN_KILLS = 1_000;

/** What the table says of an outage. */
const lasting = (seconds: number): string => (isFull ? ` for ${seconds} s` : '');

interface Row {
  fault: string;
  requests: number;
  accepted: string;
  p99: number;
  slowest: number;
  visits: number;
  lost: number;
  doubled: number;
  backlog: number;
}

const rows: Row[] = [];
let folder: string;
let next = 1;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => {
  process.stdout.write(`\n${table(rows)}\n`);
});

/**
 * Posts numbered visits while something fails and comes back; then everything that got a 204 has to be stored once,
 * and every count has to agree with the rows.
 */
async function withstand(deployment: Deployment, fault: string, strike: (load: Load) => Promise<void>): Promise<Row> {
  const ids = join(folder, `${fault.replaceAll(/\W+/g, '-')}.ids`);
  const load = new Load(deployment.client, {
    workers: 12,
    every: 15,
    from: next,
    // What was tried is known whatever happens next.
    record: (numbers) => appendFileSync(ids, `${numbers.join('\n')}\n`),
  });
  const first = next;
  next += 10_000_000;
  await until(() => load.accepted.size > 300, { what: 'visits are accepted', within: 20_000 });
  await strike(load);
  const recovered = Date.now();
  const before = load.accepted.size;
  await until(() => load.accepted.size > before + 300, { what: 'visits are accepted again', within: 30_000 });
  await load.stop();

  const missing = (times: Map<number, number>) => [...load.accepted].filter((number) => !times.has(number));
  const deadline = recovered + BACKLOG_TIMEOUT_MS;
  let times = await deployment.timesStored(first);
  while (missing(times).length > 0 && Date.now() < deadline) {
    await pause(200);
    times = await deployment.timesStored(first);
  }
  const backlog = Date.now() - recovered;
  const { stored, counted, pages } = await deployment.sums();
  expect([counted, pages]).toEqual([stored, stored]);

  const durations = load.durations.toSorted((one, other) => one - other);
  const row: Row = {
    fault,
    requests: durations.length,
    accepted: ((100 * (load.statuses.get(204) ?? 0)) / durations.length).toFixed(2),
    p99: durations[Math.floor(durations.length * 0.99)]!,
    slowest: durations.at(-1)!,
    visits: load.accepted.size,
    lost: missing(times).length,
    doubled: [...times.values()].filter((count) => count > 1).length,
    backlog,
  };
  rows.push(row);
  if (row.lost > 0) process.stdout.write(deployment.logs());
  expect({ lost: row.lost, doubled: row.doubled }).toEqual({ lost: 0, doubled: 0 });
  expect(load.withoutRetryAfter).toBe(0);
  return row;
}

/** With one of its two places away, nobody who posts may notice. */
function expectUnnoticed({ accepted, p99 }: Row): void {
  // The first dozen requests wait for what is away, and are more than one in a hundred of a short load.
  expect(Number(accepted)).toBeGreaterThanOrEqual(isFull ? 99 : 95);
  if (isFull) expect(p99).toBeLessThan(2_000);
}

describe('with one broker', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start();
  });
  afterAll(() => deployment.dispose());

  it('Kafka is killed', async () => {
    const broker = deployment.process('kafka');
    const row = await withstand(deployment, `Kafka killed${lasting(15)}`, async (load) => {
      await broker.kill();
      await outage(load, 15);
      await broker.start();
    });
    expectUnnoticed(row);
  }, 300_000);

  it('Kafka is frozen', async () => {
    const broker = deployment.process('kafka');
    const row = await withstand(deployment, `Kafka frozen${lasting(20)}`, async (load) => {
      await broker.freeze();
      await outage(load, 20);
      broker.thaw();
    });
    expectUnnoticed(row);
  }, 300_000);

  it('PostgreSQL is away', async () => {
    const row = await withstand(deployment, `PostgreSQL stopped${lasting(30)}`, async (load) => {
      await deployment.process('postgres').stop();
      await outage(load, 30);
      await deployment.process('postgres').start();
    });
    expectUnnoticed(row);
  }, 300_000);

  it('Redis is away', async () => {
    const row = await withstand(deployment, `Redis stopped${lasting(30)}`, async (load) => {
      await deployment.process('redis').stop();
      await outage(load, 30);
      const ready = async (): Promise<[number, { status: string }]> => {
        const response = await fetch(`http://127.0.0.1:${deployment.process('gateway').port}/readyz`);
        return [response.status, (await response.json()) as { status: string }];
      };
      await until(async () => (await ready())[1].status === 'degraded', { what: 'it shows', within: 20_000 });
      expect(await ready()).toMatchObject([200, { checks: { redis: expect.stringContaining('no rate limit') } }]);
      await deployment.process('redis').start();
    });
    expectUnnoticed(row);
  }, 300_000);

  it.each<ServiceName>(['gateway', 'enrichment', 'ingest'])(
    '%s is killed under load',
    async (name) => {
      const service = deployment.process(name);
      const row = await withstand(
        deployment,
        isFull ? `${name} killed ${KILLS} times` : `${name} killed`,
        async (load) => {
          for (let kill = 0; kill < KILLS; kill += 1) {
            const accepted = load.accepted.size + Math.random() * MAX_BETWEEN_KILLS;
            await until(() => load.accepted.size > accepted, { what: 'visits are accepted', within: 30_000 });
            await service.kill();
            await service.start();
          }
        },
      );
      if (name !== 'gateway') expectUnnoticed(row);
    },
    300_000,
  );

  it('Kafka and PostgreSQL are both away: 503, bounded memory, recovery without help', async () => {
    const broker = deployment.process('kafka');
    const gateway = deployment.process('gateway');
    let answers = { statuses: new Set<number>(), slowest: 0, retryAfter: '' };
    const row = await withstand(deployment, `Kafka and PostgreSQL away${lasting(15)}`, async (load) => {
      await broker.freeze();
      await deployment.process('postgres').stop();
      const over = new AbortController();
      const lasted = outage(load, 15).finally(() => over.abort());
      while (!over.signal.aborted) {
        const started = Date.now();
        const response = await deployment.client.post('/visits', {
          request_path: '/away',
          request_method: 'GET',
          request_headers: {},
        });
        answers.statuses.add(response.status);
        answers = {
          ...answers,
          slowest: Math.max(answers.slowest, Date.now() - started),
          retryAfter: response.headers.get('retry-after') ?? '',
        };
        await pause(50);
      }
      await lasted;
      broker.thaw();
      await deployment.process('postgres').start();
    });
    expect([...answers.statuses]).toEqual([503]);
    expect(Number(answers.retryAfter)).toBeGreaterThan(0);
    if (isFull) expect([answers.slowest < 2_000, row.slowest < 2_500]).toEqual([true, true]);
    expect(gateway.memory()).toBeLessThan(500);
  }, 300_000);
});

it('one of three brokers is killed', async () => {
  const deployment = await Deployment.start({
    kafkaBrokers: 3,
    only: ['gateway', 'enrichment', 'ingest', 'console'],
  });
  const row = await withstand(deployment, `one of three brokers killed${lasting(20)}`, async (load) => {
    await deployment.process('kafka-2').kill();
    await outage(load, 20);
    await deployment.process('kafka-2').start();
  });
  expectUnnoticed(row);
  await deployment.dispose();
}, 300_000);

function table(results: readonly Row[]): string {
  const heads = [
    'Fault',
    'Requests',
    '204',
    'p99',
    'Slowest',
    'Visits with a 204',
    'Lost',
    'Twice',
    'Backlog gone after',
  ];
  const cells = results.map((row) => [
    row.fault,
    String(row.requests),
    `${row.accepted} %`,
    `${row.p99} ms`,
    `${row.slowest} ms`,
    String(row.visits),
    String(row.lost),
    String(row.doubled),
    `${(row.backlog / 1_000).toFixed(1)} s`,
  ]);
  return [heads, heads.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

import { Deployment, type ServiceName } from '../kit/deployment.js';
import { isFullRun, itInFullRuns, prolongOutage } from '../kit/faults.js';
import { pause, temporaryFolder, until } from '../kit/instance.js';
import { expectUnnoticed, FaultTrials } from '../kit/fault-trials.js';

const KILLS = isFullRun ? 20 : 1;
/** Maximum number of visits between a start and the next kill. */
const MAX_BETWEEN_KILLS = 1_000;

const formatDuration = (seconds: number): string => (isFullRun ? ` for ${seconds} s` : '');

let trials: FaultTrials;

beforeAll(async () => {
  trials = new FaultTrials(await temporaryFolder());
});
afterAll(() => trials.print());

const withstand: FaultTrials['run'] = (...args) => trials.run(...args);

describe('with one broker', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start();
  });
  afterAll(() => deployment.dispose());

  it('tolerates a Kafka crash', async () => {
    const broker = deployment.process('kafka');
    const row = await withstand(deployment, `Kafka killed${formatDuration(15)}`, async (load) => {
      await broker.kill();
      await prolongOutage(load, 15);
      await broker.start();
    });
    expectUnnoticed(row);
  }, 300_000);

  itInFullRuns(
    'tolerates a frozen Kafka broker',
    async () => {
      const broker = deployment.process('kafka');
      const row = await withstand(deployment, `Kafka frozen${formatDuration(20)}`, async (load) => {
        await broker.freeze();
        await prolongOutage(load, 20);
        broker.thaw();
      });
      expectUnnoticed(row);
    },
    300_000,
  );

  it('tolerates a PostgreSQL outage', async () => {
    const row = await withstand(deployment, `PostgreSQL stopped${formatDuration(30)}`, async (load) => {
      await deployment.process('postgres').stop();
      await prolongOutage(load, 30);
      await deployment.process('postgres').start();
    });
    expectUnnoticed(row);
  }, 300_000);

  it('tolerates a Redis outage and reports it as degraded', async () => {
    const row = await withstand(deployment, `Redis stopped${formatDuration(30)}`, async (load) => {
      await deployment.process('redis').stop();
      await prolongOutage(load, 30);
      const ready = async (): Promise<[number, { status: string }]> => {
        const response = await fetch(`http://127.0.0.1:${deployment.process('gateway').port}/readyz`);
        return [response.status, (await response.json()) as { status: string }];
      };
      await until(async () => (await ready())[1].status === 'degraded', {
        condition: 'the gateway reports that it is degraded',
      });
      expect(await ready()).toMatchObject([200, { checks: { redis: expect.stringContaining('no rate limit') } }]);
      await deployment.process('redis').start();
    });
    expectUnnoticed(row);
  }, 300_000);

  it.each<ServiceName>(['gateway', 'enrichment', 'ingest'])(
    'recovers from crashes of %s under load',
    async (name) => {
      const service = deployment.process(name);
      const row = await withstand(
        deployment,
        isFullRun ? `${name} killed ${KILLS} times` : `${name} killed`,
        async (load) => {
          for (let kill = 0; kill < KILLS; kill += 1) {
            const accepted = load.accepted.size + Math.random() * MAX_BETWEEN_KILLS;
            await until(() => load.accepted.size > accepted, { condition: 'visits are accepted' });
            await service.kill();
            await service.start();
          }
        },
      );
      if (name !== 'gateway') expectUnnoticed(row);
    },
    300_000,
  );

  it('returns 503, limits memory, and recovers when Kafka and PostgreSQL are both down', async () => {
    const broker = deployment.process('kafka');
    const gateway = deployment.process('gateway');
    let responses = { statuses: new Set<number>(), slowest: 0, retryAfter: '' };
    const row = await withstand(deployment, `Kafka and PostgreSQL down${formatDuration(15)}`, async (load) => {
      await broker.freeze();
      await deployment.process('postgres').stop();
      const outageEnded = new AbortController();
      const pendingOutage = prolongOutage(load, 15).finally(() => outageEnded.abort());
      while (!outageEnded.signal.aborted) {
        const started = Date.now();
        const response = await deployment.client.post('/visits', {
          request_path: '/away',
          request_method: 'GET',
          request_headers: {},
        });
        responses.statuses.add(response.status);
        responses = {
          ...responses,
          slowest: Math.max(responses.slowest, Date.now() - started),
          retryAfter: response.headers.get('retry-after') ?? '',
        };
        await pause(50);
      }
      await pendingOutage;
      broker.thaw();
      await deployment.process('postgres').start();
    });
    expect([...responses.statuses]).toEqual([503]);
    expect(Number(responses.retryAfter)).toBeGreaterThan(0);
    if (isFullRun) expect([responses.slowest < 2_000, row.slowestMs < 2_500]).toEqual([true, true]);
    expect(gateway.residentMib()).toBeLessThan(500);
  }, 300_000);
});

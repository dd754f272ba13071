import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KafkaConfig } from 'kafkajs';
import { pino } from 'pino';
import { RedisConnection, redisAddress } from '#libs/cache';
import { Stack } from '../stack/stack.ts';
import { SHORT_LIVED } from '../stack/kafka-files.ts';
import { freePortOffset } from '../stack/ports.ts';
import { Client, visit } from '../kit/client.js';
import { leftOvers, temporaryFolder, until } from '../kit/instance.js';
import { Load } from '../kit/load.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';

const ROOT = join(import.meta.dirname, '../..');
const PORTS = [3000, 3001, 3002, 3003, 3004, 3101, 3103, 15_432, 16_379, 19_092, 19_093];

class Run {
  output = '';
  /** Stderr, which is also part of `output`. */
  errors = '';
  private constructor(
    readonly child: ChildProcess,
    readonly folder: string,
  ) {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    child.stderr!.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  static async start(...args: string[]): Promise<Run> {
    const folder = await temporaryFolder();
    const command = [join(ROOT, 'test/stack/main.ts'), ...args];
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder };
    const run = new Run(spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] }), folder);
    leftOvers.add(run);
    return run;
  }

  async untilUp(): Promise<void> {
    await until(() => this.output.includes('Ctrl-C stops it') || this.child.exitCode !== null, {
      what: 'the stack runs',
      within: 200_000,
      explain: () => this.output,
    });
    const { exitCode } = this.child;
    if (exitCode !== null) throw new Error(`the stack ended with ${exitCode}: ${this.errors}\n\n${this.output}`);
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return exited;
  }

  async dispose(): Promise<void> {
    leftOvers.delete(this);
    if (this.child.exitCode === null && this.child.signalCode === null) await this.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function descendants(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat !== null) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]));
  }
  const isBelow = (one: number): boolean => {
    for (let above = parents.get(one); above; above = parents.get(above)) if (above === pid) return true;
    return false;
  };
  return [...parents.keys()].filter(isBelow);
}

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

const alive = async (pids: readonly number[]): Promise<string[]> => {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.filter((stat) => stat !== '' && !stat.includes(') Z'));
};

/** Waits until all processes have exited. The orphan guard exits last. */
const untilGone = (pids: readonly number[]) =>
  until(async () => (await alive(pids)).length === 0, { what: 'all have ended' });

describe('npm run stack', () => {
  let run: Run;
  let client: Client;
  let pids: number[];

  beforeAll(async () => {
    const offset = String(await freePortOffset(PORTS));
    run = await Run.start('--port-offset', offset, '--scale', 'gateway=2', '--scale', 'enrichment=2');
    await run.untilUp();
    pids = await descendants(run.child.pid!);
    const find = (pattern: RegExp): string => pattern.exec(run.output)![1]!;
    client = new Client({
      url: find(/edge +(http\S+)/),
      accessToken: find(/Bearer (agt_\w+)/),
      apiKey: find(/API_KEY=(agk_\w+)/),
    });
  }, 240_000);
  afterAll(() => run.dispose());

  it('runs every server and every replica', async () => {
    // Short-lived PostgreSQL workers may exit before they are read.
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    const count = (part: string): number => commands.filter((command) => command.includes(part)).length;
    expect(
      ['kafka.Kafka', 'redis-server', 'nginx: master', 'gateway/src/main.js', 'enrichment/src/main.js'].map(count),
    ).toEqual([1, 1, 1, 2, 2]);
  });

  it('accepts a visit at its public address and lists it', async () => {
    expect((await client.post('/visits', visit('/through-the-edge'))).status).toBe(204);
    const stored = await until(async () => (await client.visits())[0], {
      what: 'the visit is in the timeline',
      explain: () => run.output,
    });
    expect(stored).toMatchObject({
      visit: { request_path: '/through-the-edge' },
      identification: { agent_token: 'Googlebot' },
    });
    expect((await fetch(`${client.target.url}/metrics`)).status).toBe(404);
  });

  it('grants services all the Redis permissions they use', async () => {
    const [data] = await readdir(run.folder);
    const password = (await readFile(join(run.folder, data!, 'gateway-secrets/redis-password'), 'utf8')).trim();
    const url = /Redis +(redis\S+)/.exec(run.output)![1]!.replace('//', '//gateway@');
    const address = redisAddress({ REDIS_URL: url, REDIS_PASSWORD: password })!;
    const redis = new RedisConnection(address, pino({ level: 'silent' }));
    await redis.tried;
    const refused = (await redis.commands.info('commandstats'))
      .split('\r\n')
      .filter((line) => /rejected_calls=[1-9]/.test(line))
      // Clients try to report their name and version, which Redis may reject.
      .filter((line) => !line.startsWith('cmdstat_client'));
    redis.close();
    expect(refused).toEqual([]);
  });

  const gatewayUrls = (): [string, string] => {
    const first = /gateway +(http\S+)/.exec(run.output)![1]!;
    return [first, first.replace(/\d+$/, (port) => String(Number(port) + 100))];
  };

  it('distributes requests across both gateways', async () => {
    const servedBy = async (gateway: string): Promise<number> => {
      const metrics = await (await fetch(`${gateway}/metrics`)).text();
      return Number(/^agent_traffic_http_request_seconds_count\{.*route="\/visits".* (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const [first, second] = gatewayUrls();
    const statuses = new Set<number>();
    await until(
      async () => {
        statuses.add((await client.post('/visits', [])).status);
        return (await servedBy(first)) > 0 && (await servedBy(second)) > 0;
      },
      { what: 'both have answered' },
    );
    expect([...statuses]).toEqual([204]);
  });

  it('responds to every request during a rolling restart of the gateways', async () => {
    const load = new Load(client, { from: 1_000_000, workers: 8 });
    for (const url of gatewayUrls()) {
      const [, port] = /:(\d+)$/.exec(url)!;
      const pid = pids.find((one) => readEnvironment(one).includes(`\0PORT=${port}\0`))!;
      process.kill(pid, 'SIGTERM');
      await until(async () => (await alive([pid])).length === 0, { what: 'the gateway has ended' });
      const isReady = (): Promise<boolean> =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(isReady, { what: 'the gateway runs again', within: 30_000 });
    }
    await load.stop();
    pids = await descendants(run.child.pid!);
    expect({ statuses: [...load.statuses.keys()], failures: [...load.failures] }).toEqual({
      statuses: [204],
      failures: [],
    });
  });

  it('leaves no process or folder behind after SIGTERM', async () => {
    expect((await alive(pids)).length).toBeGreaterThan(9);
    expect(await run.end('SIGTERM')).toBe(0);
    expect(await readdir(run.folder)).toEqual([]);
    await untilGone(pids);
  });
});

it('leaves no process behind after SIGKILL, and no folder after SIGTERM during startup', async () => {
  const offset = String(await freePortOffset(PORTS));
  const killed = await Run.start('--port-offset', offset, '--only', 'redis,postgres');
  await killed.untilUp();
  const pids = await descendants(killed.child.pid!);
  expect((await alive(pids)).length).toBeGreaterThan(2);
  await killed.end('SIGKILL');
  await untilGone(pids);
  await killed.dispose();

  const early = await Run.start('--port-offset', offset, '--only', 'kafka,postgres');
  await until(() => early.output.includes('done: secrets'), { what: 'PostgreSQL is being prepared' });
  const started = await descendants(early.child.pid!);
  expect(await early.end('SIGTERM')).toBe(0);
  expect(await readdir(early.folder)).toEqual([]);
  await untilGone(started);
  await early.dispose();
}, 150_000);

it('reports invalid options and leaves nothing behind', async () => {
  const faults: [string[], string][] = [
    [['--only', 'redsi'], 'no service redsi'],
    [['--scale', 'kafka=2'], 'kafka cannot have replicas'],
    [['--nonsense'], '--nonsense'],
    [['--port-offset', 'x'], '--port-offset x: write a number'],
  ];
  for (const [args, expected] of faults) {
    const run = await Run.start(...args);
    await until(() => run.child.exitCode !== null, { what: 'it ends' });
    expect(run.child.exitCode).toBe(1);
    expect(run.output).toContain(expected);
    expect(await readdir(run.folder)).toEqual([]);
    await run.dispose();
  }
});

describe('Stack in tests', () => {
  let stack: Stack | null = null;
  const start = async (options: Parameters<typeof Stack.start>[0]): Promise<Stack> => {
    stack = await Stack.start({ portOffset: 'free', javaOptions: SHORT_LIVED, ...options });
    const started = stack;
    leftOvers.add({ dispose: () => started.stop() });
    return stack;
  };
  afterEach(async () => {
    await stack?.stop();
    stack = null;
  });

  it('restarts a crashed service, but not one that the test has killed', async () => {
    const running = await start({ only: ['redis'] });
    const [redis] = running.service('redis');
    const { pid } = redis!;
    await redis!.crash();
    await until(() => redis!.isRunning && redis!.pid !== pid, { what: 'it runs again' });
    await redis!.kill();
    expect(redis!.isRunning).toBe(false);
    await redis!.start();
    await redis!.freeze();
    redis!.thaw();
    expect(redis!.isRunning).toBe(true);
  });

  it('reports the port that is taken', async () => {
    const running = await start({ only: ['redis'] });
    const [redis] = running.service('redis');
    const portOffset = redis!.port - 16_379;
    await expect(Stack.start({ only: ['redis'], portOffset })).rejects.toThrow(`port ${redis!.port} of redis is taken`);
  });

  it('reports the service that fails to start, with its log', async () => {
    await expect(start({ only: ['ingest'], env: { RETENTION_DAYS: 'soon' } })).rejects.toThrow(
      /^ingest does not start:[^]*RETENTION_DAYS: must be a whole number/,
    );
  }, 150_000);

  it('starts the requested number of brokers, which reject invalid credentials', async () => {
    const running = await start({ only: ['kafka'], kafkaBrokers: 3 });
    const admin = new Kafka({ ...(await running.kafkaClient()), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    await admin.disconnect();
    expect(brokers.map(({ host, port }) => `${host}:${port}`).toSorted()).toEqual(running.kafkaBrokers.toSorted());
    expect(brokers).toHaveLength(3);

    const { sasl } = await running.kafkaClient();
    const refused = async (login: Pick<KafkaConfig, 'sasl'>, port?: number): Promise<void> => {
      const address = port === undefined ? running.kafkaBrokers : [`127.0.0.1:${port}`];
      const options = { brokers: address, ...login, retry: { retries: 0 }, logLevel: logLevel.NOTHING };
      const stranger = new Kafka(options).admin();
      await expect(stranger.connect().then(() => stranger.listTopics())).rejects.toThrow();
      await stranger.disconnect();
    };
    await refused({});
    await refused({ sasl: { ...sasl, password: 'another' } });
    await refused({ sasl: { ...sasl, username: 'nobody' } });
    // The controller port must reject them, too.
    await refused({}, running.service('kafka')[0]!.port + 1);
  }, 150_000);
});

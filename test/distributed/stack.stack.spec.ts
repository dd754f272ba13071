import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KafkaConfig } from 'kafkajs';
import { pino } from 'pino';
import { RedisConnection, toRedisAddress } from '#libs/cache';
import { Stack } from '../stack/stack.ts';
import { SHORT_LIVED_JVM_OPTIONS } from '../stack/kafka-files.ts';
import { findFreePortOffset } from '../stack/ports.ts';
import { Client, visit } from '../kit/client.js';
import { disposables, temporaryFolder, until } from '../kit/instance.js';
import { isFullRun } from '../kit/faults.js';
import { Load } from '../kit/load.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';

const ROOT = join(import.meta.dirname, '../..');
/** Number of Kafka brokers in the cluster that is tested on its own. */
const BROKERS = isFullRun ? 3 : 1;
const PORTS = [3000, 3001, 3002, 3003, 3004, 3101, 3103, 15_432, 16_379, 19_092, 19_093];

class StackRun {
  output = '';
  /** stderr, which is also part of `output`. */
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

  static async start(...args: string[]): Promise<StackRun> {
    const folder = await temporaryFolder();
    const command = [join(ROOT, 'test/stack/main.ts'), ...args];
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder };
    const run = new StackRun(spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] }), folder);
    disposables.add(run);
    return run;
  }

  async waitUntilRunning(): Promise<void> {
    await until(() => this.output.includes('Press Ctrl-C to stop it') || this.child.exitCode !== null, {
      condition: 'the stack is running',
      timeoutMs: 200_000,
      explain: () => this.output,
    });
    const { exitCode } = this.child;
    if (exitCode !== null) throw new Error(`The stack exited with ${exitCode}: ${this.errors}\n\n${this.output}`);
  }

  async signalAndWait(signal: NodeJS.Signals): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return exited;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    if (this.child.exitCode === null && this.child.signalCode === null) await this.signalAndWait('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function descendants(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat !== null) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]));
  }
  const isDescendant = (one: number): boolean => {
    for (let above = parents.get(one); above; above = parents.get(above)) if (above === pid) return true;
    return false;
  };
  return [...parents.keys()].filter(isDescendant);
}

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

const findRunning = async (pids: readonly number[]): Promise<string[]> => {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.filter((stat) => stat !== '' && !stat.includes(') Z'));
};

/** Waits until all processes have exited. The orphan guard exits last. */
const waitUntilExited = (pids: readonly number[]) =>
  until(async () => (await findRunning(pids)).length === 0, { condition: 'all processes have exited' });

describe('npm run stack', () => {
  let run: StackRun;
  let client: Client;
  let pids: number[];

  beforeAll(async () => {
    const offset = String(await findFreePortOffset(PORTS));
    run = await StackRun.start('--port-offset', offset, '--scale', 'gateway=2', '--scale', 'enrichment=2');
    await run.waitUntilRunning();
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
    // Short-lived PostgreSQL workers may exit before their command line is read.
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    const count = (part: string): number => commands.filter((command) => command.includes(part)).length;
    expect(
      ['kafka.Kafka', 'redis-server', 'nginx: master', 'gateway/src/main.js', 'enrichment/src/main.js'].map(count),
    ).toEqual([1, 1, 1, 2, 2]);
  });

  it('accepts a visit at its public address and lists it', async () => {
    expect((await client.post('/visits', visit('/through-the-edge'))).status).toBe(204);
    const stored = await until(async () => (await client.visits())[0], {
      condition: 'the visit is in the timeline',
      explain: () => run.output,
    });
    expect(stored).toMatchObject({
      visit: { request_path: '/through-the-edge' },
      identification: { agent_token: 'Googlebot' },
    });
    expect((await fetch(`${client.target.url}/metrics`)).status).toBe(404);
  });

  it('passes the system tests of visits', async () => {
    const { url, accessToken, apiKey } = client.target;
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TARGET_URL: url,
      TARGET_ACCESS_TOKEN: accessToken,
      TARGET_API_KEY: apiKey,
    };
    const args = ['run', '--silent', 'test:e2e', '--', '--testPathPatterns', 'test/system/visits'];
    const { stderr } = await promisify(execFile)('npm', args, { cwd: ROOT, env });
    expect(stderr).toMatch(/^Test Suites: (\d+) passed, \1 total$/m);
  });

  it('grants services all the Redis permissions they use', async () => {
    const [data] = await readdir(run.folder);
    const password = (await readFile(join(run.folder, data!, 'gateway-secrets/redis-password'), 'utf8')).trim();
    const url = /Redis +(redis\S+)/.exec(run.output)![1]!.replace('//', '//gateway@');
    const address = toRedisAddress({ REDIS_URL: url, REDIS_PASSWORD: password })!;
    const redis = new RedisConnection(address, pino({ level: 'silent' }));
    await redis.firstAttempt;
    const refused = (await redis.commands.info('commandstats'))
      .split('\r\n')
      .filter((line) => /rejected_calls=[1-9]/.test(line))
      // Clients try to report their name and version, and Redis may reject that.
      .filter((line) => !line.startsWith('cmdstat_client'));
    redis.close();
    expect(refused).toEqual([]);
  });

  const gatewayUrls = (): [string, string] => {
    const first = /gateway +(http\S+)/.exec(run.output)![1]!;
    return [first, first.replace(/\d+$/, (port) => String(Number(port) + 100))];
  };

  it('distributes requests across both gateways', async () => {
    const countRequests = async (gateway: string): Promise<number> => {
      const metrics = await (await fetch(`${gateway}/metrics`)).text();
      return Number(/^agent_traffic_http_request_seconds_count\{.*route="\/visits".* (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const [first, second] = gatewayUrls();
    const statuses = new Set<number>();
    await until(
      async () => {
        statuses.add((await client.post('/visits', [])).status);
        return (await countRequests(first)) > 0 && (await countRequests(second)) > 0;
      },
      { condition: 'both gateways have responded' },
    );
    expect([...statuses]).toEqual([204]);
  });

  it('responds to every request during a rolling restart of the gateways', async () => {
    const load = new Load(client, { firstNumber: 1_000_000 });
    const { length: outputLength } = run.output;
    for (const url of gatewayUrls()) {
      const [, port] = /:(\d+)$/.exec(url)!;
      const pid = pids.find((one) => readEnvironment(one).includes(`\0PORT=${port}\0`))!;
      process.kill(pid, 'SIGTERM');
      await until(async () => (await findRunning([pid])).length === 0, { condition: 'the gateway has exited' });
      const isReady = (): Promise<boolean> =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(isReady, { condition: 'the gateway is ready again' });
    }
    await load.stop();
    pids = await descendants(run.child.pid!);
    const proxyErrors = run.output
      .slice(outputLength)
      .split('\n')
      .filter((line) => line.includes('[error]') && !line.includes('Connection refused'));
    expect({ statuses: [...load.statuses.keys()], failures: [...load.failures], proxyErrors }).toEqual({
      statuses: [204],
      failures: [],
      proxyErrors: [],
    });
  });

  it('leaves no process or folder behind after SIGTERM', async () => {
    expect((await findRunning(pids)).length).toBeGreaterThan(9);
    expect(await run.signalAndWait('SIGTERM')).toBe(0);
    expect(await readdir(run.folder)).toEqual([]);
    await waitUntilExited(pids);
  });
});

it('leaves no process behind after SIGKILL, and no folder after SIGTERM during startup', async () => {
  const offset = String(await findFreePortOffset(PORTS));
  const killed = await StackRun.start('--port-offset', offset, '--only', 'redis,postgres');
  await killed.waitUntilRunning();
  const pids = await descendants(killed.child.pid!);
  expect((await findRunning(pids)).length).toBeGreaterThan(2);
  await killed.signalAndWait('SIGKILL');
  await waitUntilExited(pids);
  await killed.dispose();

  const early = await StackRun.start('--port-offset', offset, '--only', 'kafka,postgres');
  await until(() => early.output.includes('done: secrets'), { condition: 'PostgreSQL is starting' });
  const started = await descendants(early.child.pid!);
  expect(await early.signalAndWait('SIGTERM')).toBe(0);
  expect(await readdir(early.folder)).toEqual([]);
  await waitUntilExited(started);
  await early.dispose();
}, 150_000);

it('reports invalid options and leaves nothing behind', async () => {
  const faults: [string[], string][] = [
    [['--only', 'redsi'], 'does not contain the service redsi'],
    [['--scale', 'kafka=2'], 'kafka cannot have replicas'],
    [['--nonsense'], '--nonsense'],
    [['--port-offset', 'x'], '--port-offset must be a number (got "x")'],
  ];
  for (const [args, expected] of faults) {
    const run = await StackRun.start(...args);
    await until(() => run.child.exitCode !== null, { condition: 'the stack exits' });
    expect(run.child.exitCode).toBe(1);
    expect(run.output).toContain(expected);
    expect(await readdir(run.folder)).toEqual([]);
    await run.dispose();
  }
});

describe('Stack', () => {
  let stack: Stack | null = null;
  const start = async (options: Parameters<typeof Stack.start>[0]): Promise<Stack> => {
    stack = await Stack.start({ portOffset: 'free', javaOptions: SHORT_LIVED_JVM_OPTIONS, ...options });
    const started = stack;
    disposables.add({ dispose: () => started.stop() });
    return stack;
  };
  afterEach(async () => {
    await stack?.stop();
    stack = null;
  });

  it('restarts a crashed service, but not a killed one', async () => {
    const running = await start({ only: ['redis'] });
    const [redis] = running.service('redis');
    const { pid } = redis!;
    await redis!.crash();
    await until(() => redis!.isRunning && redis!.pid !== pid, { condition: 'Redis is running again' });
    await redis!.kill();
    expect(redis!.isRunning).toBe(false);
    await redis!.start();
    await redis!.freeze();
    redis!.thaw();
    expect(redis!.isRunning).toBe(true);
  });

  it('reports a port that is already in use', async () => {
    const running = await start({ only: ['redis'] });
    const [redis] = running.service('redis');
    const portOffset = redis!.port - 16_379;
    await expect(Stack.start({ only: ['redis'], portOffset })).rejects.toThrow(
      `Port ${redis!.port}, which redis needs, is in use`,
    );
  });

  it('reports the service that fails to start, with its log', async () => {
    await expect(start({ only: ['ingest'], env: { RETENTION_DAYS: 'soon' } })).rejects.toThrow(
      /^ingest did not start:[^]*RETENTION_DAYS: must be an integer/,
    );
  }, 150_000);

  it('starts the requested number of brokers, which reject invalid credentials', async () => {
    const running = await start({ only: ['kafka'], kafkaBrokers: BROKERS });
    const admin = new Kafka({ ...(await running.kafkaClient()), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    await admin.disconnect();
    expect(brokers.map(({ host, port }) => `${host}:${port}`).toSorted()).toEqual(running.kafkaBrokers.toSorted());
    expect(brokers).toHaveLength(BROKERS);

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
    // The controller port must also reject these connections.
    await refused({}, running.service('kafka')[0]!.port + 1);
  }, 150_000);
});

/**
 * Injects faults into a deployment. Checks that their alerts fire and that the runbook's commands work during the
 * fault.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createBatchId, RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { createVisits } from '../bench/load.js';
import { GOOGLEBOT } from '../kit/client.js';
import { Deployment, PORT_OFFSET, SERVICES } from '../kit/deployment.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { SmallDisk } from '../kit/small-disk.js';
import { TcpRelay } from '../kit/tcp-relay.js';
import { Prometheus } from '../stack/prometheus.ts';
import { readAlerts, readRuleFile, readRunbook } from './alerts.js';
import { RunbookCommands, type CommandResult } from './runbook-commands.js';

/** Size of the PostgreSQL disk in MiB. Small, so that it can be filled quickly. */
const DISK_MIB = 512;
const POSTGRES_PORT = 15_432;
const ADD_AGENT = 'agents add --token Newcrawler --type Fetcher --pattern Newcrawler --sample Newcrawler/1.0';
const [VISIT] = createVisits(1);
/** Alerts that resolve soon after a fault, because they don't evaluate a time range of minutes or hours. */
const SOON_RESOLVED_ALERTS = new Set(
  readAlerts().flatMap(({ alert, expr }) => (/\[(\d+m|3h)\]/.test(expr) ? [] : [alert])),
);

interface ExpectedAlert {
  alertname: string;
  job?: string;
  service?: string;
  group?: string;
}

interface FaultTrial {
  fault: string;
  inject(): Promise<unknown>;
  /** Runs repeatedly until the alerts fire. */
  whileDown?(): Promise<unknown>;
  recover(): Promise<unknown>;
  alerts: ExpectedAlert[];
  /** Alerts that fire only after the system recovers. */
  alertsAfterRecovery?: ExpectedAlert[];
  /** Expected exit code of `agent-traffic doctor` (null if it varies), and a pattern for its output. */
  doctor: [code: number | null, says: RegExp];
  /** Service whose /readyz is requested. */
  readyService: string;
  /** Pattern for the /readyz response, or null if the connection fails. */
  readyPattern: RegExp | null;
  /** Commands that must fail because their target is down. */
  failingCommands?: RegExp;
}

let deployment: Deployment;
let prometheus: Prometheus;
let commands: RunbookCommands;
let relay: TcpRelay;
let disk: SmallDisk;

beforeAll(async () => {
  relay = await TcpRelay.start(() => POSTGRES_PORT + PORT_OFFSET);
  deployment = await Deployment.start({ databasePort: relay.port });
  const postgres = deployment.process('postgres');
  await postgres.stop();
  const folder = postgres.command.args[postgres.command.args.indexOf('-D') + 1]!;
  disk = await SmallDisk.mount(postgres, dirname(folder), DISK_MIB);
  await postgres.start();
  const rulesFile = join(await temporaryFolder(), 'alerts.json');
  await writeFile(rulesFile, JSON.stringify(createUndelayedRules()));
  // The interval is longer than a scrape, which takes two seconds while PostgreSQL doesn't respond.
  prometheus = await Prometheus.start(deployment.stack, { intervalSeconds: 3, rulesFile });
  commands = await RunbookCommands.create(deployment, prometheus);
  await waitUntilAllScraped();
  // Caches the token in the gateway before PostgreSQL goes down.
  await reportVisit();
}, 300_000);
afterAll(async () => {
  await prometheus?.stop();
  await deployment?.dispose();
  await disk?.dispose();
  await relay?.close();
});

/** Returns the deployment's alert rules without the delays before they fire. */
function createUndelayedRules() {
  const { groups } = readRuleFile();
  return { groups: groups.map(({ name, rules }) => ({ name, rules: rules.map((rule) => ({ ...rule, for: '0s' })) })) };
}

const waitUntilAllScraped = (): Promise<unknown> =>
  until(async () => (await prometheus.query('up == 1')).length === SERVICES.length, {
    condition: 'every service is scraped',
    timeoutMs: 60_000,
    explain: () => deployment.logs(),
  });

/** Returns a service's start time from the last scrape, or null while the service is down. */
const getStartTime = async (job: string): Promise<string | null> =>
  (await prometheus.query(`process_start_time_seconds{job="${job}"}`))[0]?.value[1] ?? null;

const post = (path: string, body: unknown): Promise<unknown> =>
  deployment.client.post(path, body).then(
    (answer) => answer.arrayBuffer(),
    () => undefined,
  );

const reportVisit = (): Promise<unknown> => post('/visits', VISIT);
/** Reports 100 visits, each in a separate message. */
const reportManyVisits = (): Promise<unknown> => Promise.all(Array.from({ length: 100 }, reportVisit));
const identify = () => post('/agent-identifications', { request_headers: { 'user-agent': GOOGLEBOT } });
const requestRules = () => post('/robots-txts', { agent_types: ['AI Data Scraper'] });

const downAlerts = (job: string): ExpectedAlert[] => [
  { alertname: 'AgentTrafficServiceDown', job },
  { alertname: 'AgentTrafficProcessDown', job },
];

const createKillTrial = (name: string, doctor: FaultTrial['doctor'], more: Partial<FaultTrial> = {}): FaultTrial => ({
  fault: `${name} killed`,
  inject: () => deployment.process(name).kill(),
  recover: () => deployment.process(name).start(),
  alerts: downAlerts(name),
  doctor,
  readyService: name,
  readyPattern: null,
  ...more,
});

const TRIALS: FaultTrial[] = [
  createKillTrial('gateway', [1, /✗ gateway .*no process has reported/]),
  createKillTrial('console', [1, /✗ instance .*no response/]),
  createKillTrial('enrichment', [1, /✗ enrichment's consumers .*none/]),
  createKillTrial('ingest', [1, /✗ ingest's consumers .*none/]),
  createKillTrial('catalog', [1, /✗ catalog .*no process has reported/], {
    whileDown: identify,
    alerts: [...downAlerts('catalog'), { alertname: 'AgentTrafficInternalCallsFail', service: 'catalog' }],
  }),
  createKillTrial('rules', [1, /✗ rules .*no response/], {
    whileDown: requestRules,
    alerts: [...downAlerts('rules'), { alertname: 'AgentTrafficInternalCallsFail', service: 'rules' }],
  }),
  {
    fault: 'gateway frozen',
    inject: () => deployment.process('gateway').freeze(),
    recover: async () => deployment.process('gateway').thaw(),
    alerts: downAlerts('gateway'),
    doctor: [1, /✗ gateway .*no process has reported/],
    readyService: 'console',
    readyPattern: /"status":"ok"/,
  },
  {
    fault: 'ingest crashes repeatedly',
    inject: async () => {
      for (let crash = 0; crash < 3; crash += 1) {
        const before = await getStartTime('ingest');
        await deployment.process('ingest').crash();
        await until(async () => ![null, before].includes(await getStartTime('ingest')), {
          condition: 'the restarted process is scraped',
          timeoutMs: 60_000,
        });
      }
    },
    recover: waitUntilAllScraped,
    alerts: [{ alertname: 'AgentTrafficProcessRestarts', job: 'ingest' }],
    doctor: [0, /✓ ingest's consumers/],
    readyService: 'ingest',
    readyPattern: /"status":"ok"/,
  },
  {
    fault: 'Redis down while an agent is added',
    inject: async () => {
      await deployment.process('redis').stop();
      await deployment.cli(ADD_AGENT.split(' '));
    },
    whileDown: reportVisit,
    recover: () => deployment.process('redis').start(),
    alerts: [
      ...SERVICES.map((job) => ({ alertname: 'AgentTrafficRedisUnavailable', job })),
      { alertname: 'AgentTrafficCatalogDiffers' },
    ],
    doctor: [0, /! instance .*redis/],
    readyService: 'gateway',
    readyPattern: /"redis":"(?!ok)/,
    failingCommands: /^redis-cli/,
  },
  {
    fault: 'unprocessable message',
    inject: publishUnprocessableMessage,
    recover: async () => undefined,
    alerts: [{ alertname: 'AgentTrafficDeadLetters' }],
    doctor: [0, /✓ kafka/],
    readyService: 'enrichment',
    readyPattern: /"status":"ok"/,
  },
  {
    fault: 'PostgreSQL down for two minutes',
    inject: () => deployment.process('postgres').stop(),
    whileDown: reportManyVisits,
    recover: () => deployment.process('postgres').start(),
    alerts: [
      ...['gateway', 'console', 'enrichment', 'ingest', 'catalog'].map((job) => ({
        alertname: 'AgentTrafficDatabaseUnavailable',
        job,
      })),
      { alertname: 'AgentTrafficMessagesStuck', group: 'ingest' },
    ],
    alertsAfterRecovery: [{ alertname: 'AgentTrafficConsumerLag' }, { alertname: 'AgentTrafficStoredLate' }],
    doctor: [1, /✗ database .*→ Start PostgreSQL/s],
    readyService: 'gateway',
    readyPattern: /"database":"(?!ok)/,
    failingCommands: /^SELECT/,
  },
  {
    fault: 'network to PostgreSQL unresponsive',
    inject: async () => void (relay.trafficMode = 'silent'),
    recover: async () => void (relay.trafficMode = 'open'),
    alerts: [{ alertname: 'AgentTrafficDatabaseUnavailable', job: 'gateway' }],
    doctor: [1, /✗ database/],
    readyService: 'gateway',
    readyPattern: /"database":"(?!ok)/,
    failingCommands: /^SELECT/,
  },
  {
    fault: 'Kafka and PostgreSQL down',
    inject: () => Promise.all([deployment.process('postgres').stop(), deployment.process('kafka').kill()]),
    whileDown: reportVisit,
    recover: () => Promise.all([deployment.process('kafka').start(), deployment.process('postgres').start()]),
    alerts: ['AgentTrafficVisitsNotSafe', 'AgentTrafficVisitsRefused'].map((alertname) => ({ alertname })),
    doctor: [1, /✗ database[^]*✗ kafka/],
    readyService: 'gateway',
    readyPattern: /"bus":"(?!ok)/,
    failingCommands: /^SELECT/,
  },
  {
    fault: 'Kafka down for six minutes',
    inject: () => deployment.process('kafka').kill(),
    whileDown: reportVisit,
    recover: () => deployment.process('kafka').start(),
    alerts: [
      ...['gateway', 'enrichment', 'ingest'].map((job) => ({ alertname: 'AgentTrafficKafkaUnavailable', job })),
      { alertname: 'AgentTrafficOutboxWaiting' },
    ],
    doctor: [1, /✗ kafka/],
    readyService: 'gateway',
    readyPattern: /"bus":"(?!ok)/,
  },
  {
    fault: 'Kafka frozen',
    inject: () => deployment.process('kafka').freeze(),
    whileDown: reportVisit,
    recover: async () => deployment.process('kafka').thaw(),
    alerts: [{ alertname: 'AgentTrafficKafkaUnavailable', job: 'gateway' }],
    doctor: [1, /✗ kafka/],
    readyService: 'gateway',
    readyPattern: /"bus":"(?!ok)/,
  },
  {
    fault: 'PostgreSQL disk full for data',
    inject: () => disk.fill(),
    whileDown: reportVisit,
    recover: () => disk.free(),
    alerts: [{ alertname: 'AgentTrafficMessagesStuck', group: 'ingest' }],
    // The outcome varies, because a new connection may have to write a file.
    doctor: [null, /✓ database|✗ database .*\n.*Free up disk space/],
    readyService: 'ingest',
    readyPattern: /"status":"ok"/,
  },
  {
    fault: 'PostgreSQL disk full for the write-ahead log',
    inject: () => disk.fill(),
    // PostgreSQL stops and can't start again.
    whileDown: async () => {
      await reportVisit();
      await deployment.database.query('SELECT pg_switch_wal()').catch(() => undefined);
    },
    recover: () => disk.free(),
    alerts: [{ alertname: 'AgentTrafficDatabaseUnavailable', job: 'ingest' }],
    doctor: [1, /✗ database/],
    readyService: 'ingest',
    readyPattern: /"database":"(?!ok)/,
    failingCommands: /^SELECT/,
  },
];

async function publishUnprocessableMessage(): Promise<void> {
  const kafka = new Kafka({ ...(await deployment.stack.kafkaClient()), logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  const headers = {
    [RECEIVED_HEADERS.batchId]: createBatchId(),
    [RECEIVED_HEADERS.projectId]: await deployment.client.projectId(),
  };
  await producer.send({ topic: TOPICS.visitsReceived, messages: [{ value: 'this is not JSON', headers }] });
  await producer.disconnect();
}

/** Returns the expected alerts that aren't firing. */
async function findMissingAlerts(expected: readonly ExpectedAlert[]): Promise<ExpectedAlert[]> {
  const firing = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
  return expected.filter(
    (wanted) => !firing.some(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value)),
  );
}

async function waitUntilFiring(expected: readonly ExpectedAlert[], meanwhile?: () => Promise<unknown>): Promise<void> {
  let missing: ExpectedAlert[] = [];
  await until(
    async () => {
      await meanwhile?.();
      missing = await findMissingAlerts(expected);
      return missing.length === 0;
    },
    {
      condition: 'the alerts fire',
      timeoutMs: 420_000,
      explain: () => `${JSON.stringify(missing)}\n${deployment.logs()}`,
    },
  );
}

it.each(TRIALS)(
  '$fault: alerts fire, runbook commands work, and the alerts resolve',
  async (trial) => {
    const areResolved = async (): Promise<boolean> =>
      (await findMissingAlerts(trial.alerts)).length === trial.alerts.length;
    await until(areResolved, {
      condition: 'alerts from earlier faults resolve',
      timeoutMs: 120_000,
      explain: () => deployment.logs(),
    });
    try {
      await expectFaultHandled(trial);
    } finally {
      await trial.recover();
    }
    const soonResolvedAlerts = trial.alerts.filter(({ alertname }) => SOON_RESOLVED_ALERTS.has(alertname));
    const haveResolved = async (): Promise<boolean> => {
      // Kafka is only considered available again once it has accepted a message.
      await reportVisit();
      return (await findMissingAlerts(soonResolvedAlerts)).length === soonResolvedAlerts.length;
    };
    await until(haveResolved, {
      condition: 'the alerts resolve',
      timeoutMs: 120_000,
      explain: () => deployment.logs(),
    });
    await waitUntilAllScraped();
    const areHealthy = async (): Promise<boolean> => {
      await reportVisit();
      return (await prometheus.query('max(agent_traffic_health_fault) == 0')).length > 0;
    };
    await until(areHealthy, {
      condition: 'every service is healthy',
      timeoutMs: 120_000,
      explain: () => deployment.logs(),
    });
    if (trial.alertsAfterRecovery) await waitUntilFiring(trial.alertsAfterRecovery, reportVisit);
  },
  700_000,
);

/** Injects the fault, waits for its alerts, and runs the commands in their runbook sections. */
async function expectFaultHandled(trial: FaultTrial): Promise<void> {
  const injectedAt = performance.now();
  await trial.inject();
  await waitUntilFiring(trial.alerts, trial.whileDown);
  const seconds = Math.round((performance.now() - injectedAt) / 1_000);
  const names = [...new Set(trial.alerts.map(({ alertname }) => alertname))];

  const [code, outputPattern] = trial.doctor;
  // Repeat the check, because a consumer group only notices that a member was killed when its session times out.
  let doctor: CommandResult = { code: NaN, output: '' };
  const isReported = async (): Promise<boolean> => {
    doctor = await commands.runCli(['doctor']);
    return [null, doctor.code].includes(code) && outputPattern.test(doctor.output);
  };
  const explain = (): string => `${doctor.code} ${doctor.output}`;
  await until(isReported, {
    condition: `doctor exits with ${code} and prints ${outputPattern}`,
    timeoutMs: 60_000,
    explain,
  });

  const ready = (await commands.run('/readyz', trial.readyService))!;
  if (trial.readyPattern === null) expect(ready.code).toBe(7);
  else expect(ready.output).toMatch(trial.readyPattern);

  const runBook = readRunbook();
  const sections = names.map((name) => runBook.get(name)!);
  const spans = sections.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span!));
  const unexpected: object[] = [];
  for (const command of new Set(spans)) {
    const result = command === '/readyz' ? null : await commands.run(command, trial.readyService);
    const shouldSucceed = trial.failingCommands?.test(command) !== true;
    if (result !== null && (result.code === 0) !== shouldSucceed) unexpected.push({ command, ...result });
  }
  expect(unexpected).toEqual([]);
  process.stdout.write(`| ${trial.fault} | ${names.join(', ')} | ${seconds} s |\n`);
}

/** Causes faults in a deployment, and checks that their alerts fire and that the runbook's commands work during the fault. */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newBatchId, RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { visits } from '../bench/load.js';
import { GOOGLEBOT } from '../kit/client.js';
import { Deployment, PORT_OFFSET, SERVICES } from '../kit/deployment.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { SmallDisk } from '../kit/small-disk.js';
import { TcpRelay } from '../kit/tcp-relay.js';
import { Prometheus } from '../stack/prometheus.ts';
import { readAlerts, readRules, readRunBook } from './alerts.js';
import { RunBookCommands, type Ended } from './runbook-commands.js';

/** Size of PostgreSQL's disk in MiB. */
const DISK = 512;
const POSTGRES_PORT = 15_432;
const ADD_AGENT = 'agents add --token Newcrawler --type Fetcher --pattern Newcrawler --sample Newcrawler/1.0';
const [VISIT] = visits(1);
/** Alerts that don't look back over minutes or hours, so they end soon after a fault. */
const ENDS_SOON = new Set(readAlerts().flatMap(({ alert, expr }) => (/\[(\d+m|3h)\]/.test(expr) ? [] : [alert])));

interface Expected {
  alertname: string;
  job?: string;
  service?: string;
  group?: string;
}

interface Trial {
  fault: string;
  strike(): Promise<unknown>;
  /** Runs repeatedly until the alerts fire. */
  meanwhile?(): Promise<unknown>;
  heal(): Promise<unknown>;
  fires: Expected[];
  /** Alerts that fire after the fault is healed. */
  firesAfterwards?: Expected[];
  /** Exit code of `agent-traffic doctor`, or null if it varies, and a pattern for its output. */
  doctor: [code: number | null, says: RegExp];
  /** Service whose /readyz is requested. */
  asked: string;
  /** Pattern for the /readyz response, or null if the connection fails. */
  ready: RegExp | null;
  /** Commands that must fail because their target is down. */
  fails?: RegExp;
}

let deployment: Deployment;
let prometheus: Prometheus;
let commands: RunBookCommands;
let relay: TcpRelay;
let disk: SmallDisk;

beforeAll(async () => {
  relay = await TcpRelay.start(() => POSTGRES_PORT + PORT_OFFSET);
  deployment = await Deployment.start({ databasePort: relay.port });
  const postgres = deployment.process('postgres');
  await postgres.stop();
  const folder = postgres.command.args[postgres.command.args.indexOf('-D') + 1]!;
  disk = await SmallDisk.under(postgres, dirname(folder), DISK);
  await postgres.start();
  const rulesFile = join(await temporaryFolder(), 'alerts.json');
  await writeFile(rulesFile, JSON.stringify(impatient()));
  // A scrape takes two seconds while PostgreSQL doesn't respond.
  prometheus = await Prometheus.start(deployment.stack, { intervalSeconds: 3, rulesFile });
  commands = await RunBookCommands.on(deployment, prometheus);
  await untilAllRun();
  // Caches the token in the gateway before PostgreSQL goes down.
  await report();
}, 300_000);
afterAll(async () => {
  await prometheus?.stop();
  await deployment?.dispose();
  await disk?.dispose();
  await relay?.close();
});

/** Alert rules of the deployment, without their waiting times. */
function impatient() {
  const { groups } = readRules();
  return { groups: groups.map(({ name, rules }) => ({ name, rules: rules.map((rule) => ({ ...rule, for: '0s' })) })) };
}

const untilAllRun = (): Promise<unknown> =>
  until(async () => (await prometheus.query('up == 1')).length === SERVICES.length, {
    what: 'every service is scraped',
    within: 60_000,
    explain: () => deployment.logs(),
  });

/** Start time of a service, as last scraped, or null while it is down. */
const startOf = async (job: string): Promise<string | null> =>
  (await prometheus.query(`process_start_time_seconds{job="${job}"}`))[0]?.value[1] ?? null;

const post = (path: string, body: unknown): Promise<unknown> =>
  deployment.client.post(path, body).then(
    (answer) => answer.arrayBuffer(),
    () => undefined,
  );

const report = (): Promise<unknown> => post('/visits', VISIT);
/** Sends 100 visits, each in a separate message. */
const reportMuch = (): Promise<unknown> => Promise.all(Array.from({ length: 100 }, report));
const identify = () => post('/agent-identifications', { request_headers: { 'user-agent': GOOGLEBOT } });
const askForRules = () => post('/robots-txts', { agent_types: ['AI Data Scraper'] });

const down = (job: string): Expected[] => [
  { alertname: 'AgentTrafficServiceDown', job },
  { alertname: 'AgentTrafficProcessDown', job },
];

const killed = (name: string, doctor: Trial['doctor'], more: Partial<Trial> = {}): Trial => ({
  fault: `${name} killed`,
  strike: () => deployment.process(name).kill(),
  heal: () => deployment.process(name).start(),
  fires: down(name),
  doctor,
  asked: name,
  ready: null,
  ...more,
});

const TRIALS: Trial[] = [
  killed('gateway', [1, /✗ gateway .*reports/]),
  killed('console', [1, /✗ instance .*nothing answers/]),
  killed('enrichment', [1, /✗ enrichment's consumers .*none/]),
  killed('ingest', [1, /✗ ingest's consumers .*none/]),
  killed('catalog', [1, /✗ catalog .*reports/], {
    meanwhile: identify,
    fires: [...down('catalog'), { alertname: 'AgentTrafficInternalCallsFail', service: 'catalog' }],
  }),
  killed('rules', [1, /✗ rules .*nothing answers/], {
    meanwhile: askForRules,
    fires: [...down('rules'), { alertname: 'AgentTrafficInternalCallsFail', service: 'rules' }],
  }),
  {
    fault: 'gateway frozen',
    strike: () => deployment.process('gateway').freeze(),
    heal: async () => deployment.process('gateway').thaw(),
    fires: down('gateway'),
    doctor: [1, /✗ gateway .*reports/],
    asked: 'console',
    ready: /"status":"ok"/,
  },
  {
    fault: 'ingest crashes again and again',
    strike: async () => {
      for (let crash = 0; crash < 3; crash += 1) {
        const before = await startOf('ingest');
        await deployment.process('ingest').crash();
        await until(async () => ![null, before].includes(await startOf('ingest')), {
          what: 'it is scraped again',
          within: 60_000,
        });
      }
    },
    heal: untilAllRun,
    fires: [{ alertname: 'AgentTrafficProcessRestarts', job: 'ingest' }],
    doctor: [0, /✓ ingest's consumers/],
    asked: 'ingest',
    ready: /"status":"ok"/,
  },
  {
    fault: 'Redis away, and an agent changed',
    strike: async () => {
      await deployment.process('redis').stop();
      await deployment.cli(ADD_AGENT.split(' '));
    },
    meanwhile: report,
    heal: () => deployment.process('redis').start(),
    fires: [
      ...SERVICES.map((job) => ({ alertname: 'AgentTrafficRedisUnavailable', job })),
      { alertname: 'AgentTrafficCatalogDiffers' },
    ],
    doctor: [0, /! instance .*redis/],
    asked: 'gateway',
    ready: /"redis":"(?!ok)/,
    fails: /^redis-cli/,
  },
  {
    fault: 'what nobody can process comes',
    strike: poison,
    heal: async () => undefined,
    fires: [{ alertname: 'AgentTrafficDeadLetters' }],
    doctor: [0, /✓ kafka/],
    asked: 'enrichment',
    ready: /"status":"ok"/,
  },
  {
    fault: 'PostgreSQL away for two minutes',
    strike: () => deployment.process('postgres').stop(),
    meanwhile: reportMuch,
    heal: () => deployment.process('postgres').start(),
    fires: [
      ...['gateway', 'console', 'enrichment', 'ingest', 'catalog'].map((job) => ({
        alertname: 'AgentTrafficDatabaseUnavailable',
        job,
      })),
      { alertname: 'AgentTrafficMessagesStuck', group: 'ingest' },
    ],
    firesAfterwards: [{ alertname: 'AgentTrafficConsumerLag' }, { alertname: 'AgentTrafficStoredLate' }],
    doctor: [1, /✗ database .*→ Start PostgreSQL/s],
    asked: 'gateway',
    ready: /"database":"(?!ok)/,
    fails: /^SELECT/,
  },
  {
    fault: 'network to PostgreSQL silent',
    strike: async () => void (relay.passage = 'silent'),
    heal: async () => void (relay.passage = 'open'),
    fires: [{ alertname: 'AgentTrafficDatabaseUnavailable', job: 'gateway' }],
    doctor: [1, /✗ database/],
    asked: 'gateway',
    ready: /"database":"(?!ok)/,
    fails: /^SELECT/,
  },
  {
    fault: 'Kafka and PostgreSQL away',
    strike: () => Promise.all([deployment.process('postgres').stop(), deployment.process('kafka').kill()]),
    meanwhile: report,
    heal: () => Promise.all([deployment.process('kafka').start(), deployment.process('postgres').start()]),
    fires: ['AgentTrafficVisitsNotSafe', 'AgentTrafficVisitsRefused'].map((alertname) => ({ alertname })),
    doctor: [1, /✗ database[^]*✗ kafka/],
    asked: 'gateway',
    ready: /"bus":"(?!ok)/,
    fails: /^SELECT/,
  },
  {
    fault: 'Kafka away for six minutes',
    strike: () => deployment.process('kafka').kill(),
    meanwhile: report,
    heal: () => deployment.process('kafka').start(),
    fires: [
      ...['gateway', 'enrichment', 'ingest'].map((job) => ({ alertname: 'AgentTrafficKafkaUnavailable', job })),
      { alertname: 'AgentTrafficOutboxWaiting' },
    ],
    doctor: [1, /✗ kafka/],
    asked: 'gateway',
    ready: /"bus":"(?!ok)/,
  },
  {
    fault: 'Kafka frozen',
    strike: () => deployment.process('kafka').freeze(),
    meanwhile: report,
    heal: async () => deployment.process('kafka').thaw(),
    fires: [{ alertname: 'AgentTrafficKafkaUnavailable', job: 'gateway' }],
    doctor: [1, /✗ kafka/],
    asked: 'gateway',
    ready: /"bus":"(?!ok)/,
  },
  {
    fault: 'disk of PostgreSQL full for data',
    strike: () => disk.fill(),
    meanwhile: report,
    heal: () => disk.free(),
    fires: [{ alertname: 'AgentTrafficMessagesStuck', group: 'ingest' }],
    // A new connection may need to write a file first.
    doctor: [null, /✓ database|✗ database .*\n.*Make room/],
    asked: 'ingest',
    ready: /"status":"ok"/,
  },
  {
    fault: 'disk of PostgreSQL full for its log',
    strike: () => disk.fill(),
    // PostgreSQL stops and can't start again.
    meanwhile: async () => {
      await report();
      await deployment.database.query('SELECT pg_switch_wal()').catch(() => undefined);
    },
    heal: () => disk.free(),
    fires: [{ alertname: 'AgentTrafficDatabaseUnavailable', job: 'ingest' }],
    doctor: [1, /✗ database/],
    asked: 'ingest',
    ready: /"database":"(?!ok)/,
    fails: /^SELECT/,
  },
];

async function poison(): Promise<void> {
  const kafka = new Kafka({ ...(await deployment.stack.kafkaClient()), logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  const headers = {
    [RECEIVED_HEADERS.batchId]: newBatchId(),
    [RECEIVED_HEADERS.projectId]: await deployment.client.projectId(),
  };
  await producer.send({ topic: TOPICS.visitsReceived, messages: [{ value: 'this is not JSON', headers }] });
  await producer.disconnect();
}

/** Expected alerts that aren't firing. */
async function silent(expected: readonly Expected[]): Promise<Expected[]> {
  const firing = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
  return expected.filter(
    (wanted) => !firing.some(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value)),
  );
}

async function untilFiring(expected: readonly Expected[], meanwhile?: () => Promise<unknown>): Promise<void> {
  let missing: Expected[] = [];
  await until(
    async () => {
      await meanwhile?.();
      missing = await silent(expected);
      return missing.length === 0;
    },
    { what: 'the alerts fire', within: 420_000, explain: () => `${JSON.stringify(missing)}\n${deployment.logs()}` },
  );
}

it.each(TRIALS)(
  '$fault: alerts fire, runbook commands work, and the alerts resolve',
  async (trial) => {
    const areSilent = async (): Promise<boolean> => (await silent(trial.fires)).length === trial.fires.length;
    await until(areSilent, {
      what: 'the alerts of former faults end',
      within: 120_000,
      explain: () => deployment.logs(),
    });
    try {
      await expectHandled(trial);
    } finally {
      await trial.heal();
    }
    const ending = trial.fires.filter(({ alertname }) => ENDS_SOON.has(alertname));
    const haveEnded = async (): Promise<boolean> => {
      // Kafka counts as available again once it has accepted a message.
      await report();
      return (await silent(ending)).length === ending.length;
    };
    await until(haveEnded, { what: 'the alerts end', within: 120_000, explain: () => deployment.logs() });
    await untilAllRun();
    const areWell = async (): Promise<boolean> => {
      await report();
      return (await prometheus.query('max(agent_traffic_health_fault) == 0')).length > 0;
    };
    await until(areWell, { what: 'every service is well', within: 120_000, explain: () => deployment.logs() });
    if (trial.firesAfterwards) await untilFiring(trial.firesAfterwards, report);
  },
  700_000,
);

/** Causes the fault and runs the commands in the runbook sections of its alerts. */
async function expectHandled(trial: Trial): Promise<void> {
  const struckAt = performance.now();
  await trial.strike();
  await untilFiring(trial.fires, trial.meanwhile);
  const seconds = Math.round((performance.now() - struckAt) / 1_000);
  const names = [...new Set(trial.fires.map(({ alertname }) => alertname))];

  const [code, says] = trial.doctor;
  // A consumer group notices a killed member only when its session times out.
  let doctor: Ended = { code: NaN, output: '' };
  const isSaid = async (): Promise<boolean> => {
    doctor = await commands.cli(['doctor']);
    return [null, doctor.code].includes(code) && says.test(doctor.output);
  };
  const explain = (): string => `${doctor.code} ${doctor.output}`;
  await until(isSaid, { what: `doctor ends with ${code} and says ${says}`, within: 60_000, explain });

  const ready = (await commands.run('/readyz', trial.asked))!;
  if (trial.ready === null) expect(ready.code).toBe(7);
  else expect(ready.output).toMatch(trial.ready);

  const runBook = readRunBook();
  const sections = names.map((name) => runBook.get(name)!);
  const spans = sections.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span!));
  const unexpected: object[] = [];
  for (const command of new Set(spans)) {
    const ended = command === '/readyz' ? null : await commands.run(command, trial.asked);
    const works = trial.fails?.test(command) !== true;
    if (ended !== null && (ended.code === 0) !== works) unexpected.push({ command, ...ended });
  }
  expect(unexpected).toEqual([]);
  process.stdout.write(`| ${trial.fault} | ${names.join(', ')} | ${seconds} s |\n`);
}

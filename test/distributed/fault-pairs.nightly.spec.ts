import { SeededRandom } from '../../libs/demo/src/seeded-random.js';
import { Deployment, PORT_OFFSET, SERVICES } from '../kit/deployment.js';
import { prolongOutage } from '../kit/faults.js';
import { pause, temporaryFolder } from '../kit/instance.js';
import { TcpRelay } from '../kit/tcp-relay.js';
import { expectUnnoticed, FaultTrials } from '../kit/fault-trials.js';

/** Seed for the order of pairs. */
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
/** Number of minutes after which no new pair starts. */
const MINUTES = Number(process.env['FAULT_MINUTES'] ?? 30);
const FAULT_SECONDS = 5;
const POSTGRES_PORT = 15_432;

/** Failure and its recovery. The faults in a pair have different subjects. */
interface Fault {
  name: string;
  subject: string;
  strike(deployment: Deployment): Promise<void>;
  heal(deployment: Deployment): Promise<void>;
}

const createKillFault = (subject: string): Fault => ({
  name: `${subject} killed`,
  subject,
  strike: (deployment) => deployment.process(subject).kill(),
  heal: async (deployment) => void (await deployment.process(subject).start()),
});

const createFreezeFault = (subject: string): Fault => ({
  name: `${subject} frozen`,
  subject,
  strike: (deployment) => deployment.process(subject).freeze(),
  heal: async (deployment) => deployment.process(subject).thaw(),
});

const createRestartFault = (subject: string): Fault => ({
  name: `${subject} restarted`,
  subject,
  strike: async (deployment) => {
    await deployment.process(subject).stop();
    await deployment.process(subject).start();
  },
  heal: async () => {},
});

let relay: TcpRelay;

const createNetworkFault = (name: string, strike: () => void): Fault => ({
  name: `network to postgres ${name}`,
  subject: 'network',
  strike: async () => strike(),
  heal: async () => {
    relay.trafficMode = 'open';
    relay.isReachable = true;
  },
});

const FAULTS: Fault[] = [
  ...[...SERVICES, 'kafka', 'kafka-2', 'kafka-3', 'postgres', 'redis'].map(createKillFault),
  ...['gateway', 'enrichment', 'ingest', 'kafka', 'kafka-2', 'kafka-3', 'redis'].map(createFreezeFault),
  ...SERVICES.map(createRestartFault),
  createNetworkFault('cut', () => {
    relay.isReachable = false;
    relay.dropConnections();
  }),
  createNetworkFault('slow', () => void (relay.trafficMode = { delayMs: 300 })),
  createNetworkFault('silent', () => void (relay.trafficMode = 'silent')),
];

const PAIRS = FAULTS.flatMap((one, index) =>
  FAULTS.slice(index + 1).map((other): [Fault, Fault] => [one, other]),
).filter(([one, other]) => one.subject !== other.subject);

let deployment: Deployment;
let trials: FaultTrials;
beforeAll(async () => {
  relay = await TcpRelay.start(() => POSTGRES_PORT + PORT_OFFSET);
  deployment = await Deployment.start({ kafkaBrokers: 3, databasePort: relay.port });
  trials = new FaultTrials(await temporaryFolder());
});
afterAll(async () => {
  trials.print();
  await deployment.dispose();
  await relay.close();
});

it(
  `neither loses nor duplicates visits during two concurrent faults (FAULT_SEED=${SEED})`,
  async () => {
    const random = new SeededRandom(SEED);
    const end = Date.now() + MINUTES * 60_000;
    const remainingPairs = [...PAIRS];
    while (remainingPairs.length > 0 && Date.now() < end) {
      const [pair] = remainingPairs.splice(random.nextBelow(remainingPairs.length), 1) as [[Fault, Fault]];
      const faults = random.chance(0.5) ? pair : pair.toReversed();
      await trials.run(deployment, pair.map(({ name }) => name).join(', '), async (load) => {
        for (const fault of faults) await fault.strike(deployment);
        // A frozen gateway can't respond, so wait for a fixed time instead of for more responses.
        if (faults.some(({ name }) => name === 'gateway frozen')) await pause(FAULT_SECONDS * 1_000);
        else await prolongOutage(load, FAULT_SECONDS);
        for (const fault of random.chance(0.5) ? faults : faults.toReversed()) await fault.heal(deployment);
      });
    }
    expect(trials.rows.length).toBeGreaterThan(0);
  },
  MINUTES * 60_000 + 600_000,
);

it('tolerates a crash of one of three brokers', async () => {
  const row = await trials.run(deployment, 'one of three brokers killed', async (load) => {
    await deployment.process('kafka-2').kill();
    await prolongOutage(load, 20);
    await deployment.process('kafka-2').start();
  });
  expectUnnoticed(row);
}, 300_000);

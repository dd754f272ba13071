import { TOPICS, type EnrichedVisit } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { TestDnsServer } from '../kit/dns.js';
import { pause, until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { Load } from '../kit/load.js';

const FROZEN_MS = 31_000;
/**
 * Maximum number of times a visit may be published: once by the send in flight, once from the outbox, and the rest when
 * messages are reread after rebalances.
 */
const MAX_COPIES = 8;

let dns: TestDnsServer;
let deployment: Deployment;

beforeAll(async () => {
  dns = await TestDnsServer.start();
  deployment = await Deployment.start({ env: { DNS_SERVERS: dns.address } });
});
afterAll(async () => {
  await deployment?.dispose();
  await dns?.stop();
});

/** Returns each visit's results on the topic, in offset order. */
async function readPublishedResults(): Promise<Map<string, string[]>> {
  const kafka = new Kafka({ ...(await deployment.stack.kafkaClient('consumer')), logLevel: logLevel.NOTHING });
  const topic = TOPICS.visitsEnriched;
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const remainingOffsets = new Map(
    ends.flatMap(({ partition, high }) => (high === '0' ? [] : [[partition, Number(high)]])),
  );
  const verdicts = new Map<string, string[]>();
  const consumer = kafka.consumer({ groupId: 'repeats' });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      const { id, identification } = JSON.parse(message.value!.toString()) as EnrichedVisit;
      const verdict = `${identification.result} ${identification.reason}`;
      verdicts.set(id, [...(verdicts.get(id) ?? []), verdict]);
      if (Number(message.offset) + 1 >= remainingOffsets.get(partition)!) remainingOffsets.delete(partition);
    },
  });
  await until(() => remainingOffsets.size === 0, { condition: 'the entire topic is read' });
  await consumer.disconnect();
  return verdicts;
}

it('publishes few duplicates while Kafka is frozen, and stores the first copy of each visit', async () => {
  // Hold back DNS responses, so that the lookup for each address is pending at first and fails later.
  dns.holdResponses();
  const releaseTimer = setInterval(() => {
    dns.releaseResponses();
    dns.holdResponses();
  }, 2_000);
  const load = new Load(deployment.client, {
    workers: 12,
    createHeaders: (number) => ({
      'user-agent': 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
      'x-forwarded-for': `203.0.${Math.floor(number / 250) % 250}.${number % 250}`,
    }),
  });
  await until(() => load.accepted.size > 300, { condition: 'visits are accepted' });
  await deployment.process('kafka').freeze();
  await pause(FROZEN_MS);
  deployment.process('kafka').thaw();
  const before = load.accepted.size;
  await until(() => load.accepted.size > before + 300, { condition: 'visits are accepted again' });
  await load.stop();
  await until(async () => (await deployment.timesStored(1)).size >= load.accepted.size, {
    condition: 'all visits are stored',
    timeoutMs: 120_000,
  });
  const { rows } = await deployment.database.query<{ id: string; verdict: string }>(
    `SELECT id, concat(result, ' ', document -> 'identification' ->> 'reason') AS verdict FROM visits_full`,
  );
  clearInterval(releaseTimer);

  const verdicts = await readPublishedResults();
  const copies = [...verdicts.values()].map(({ length }) => length);
  const repeats = [...verdicts.values()].flatMap(([first, ...others]) => others.map((other) => [first, other]));
  const different = repeats.filter(([first, other]) => first !== other);
  process.stdout.write(
    `${rows.length} visits, ${repeats.length} repeats, up to ${Math.max(...copies)} copies, ${different.length} differ\n`,
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(verdicts.size).toBe(rows.length);
  expect(rows.filter(({ id, verdict }) => verdicts.get(id)![0] !== verdict)).toEqual([]);
  expect(new Set(rows.map(({ verdict }) => verdict))).toContain('not_verifiable dns_pending');
  expect(Math.max(...copies)).toBeLessThanOrEqual(MAX_COPIES);
}, 400_000);

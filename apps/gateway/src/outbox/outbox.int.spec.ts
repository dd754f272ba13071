import { pino } from 'pino';
import { Bus, BusUnavailableError, type EncodedMessage, type Publication } from '#libs/bus';
import { TOPICS } from '#libs/contracts';
import { Health } from '#libs/platform';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { until } from '../../../../test/kit/instance.js';
import { createRawTopic } from '../../../../test/kit/raw-topic.js';
import { OutboxRepository } from './outbox.repository.js';
import { OutboxService } from './outbox.service.js';

/** Bus that can be switched off. It then fails after `delayMs`. */
class SwitchableBus extends Bus {
  readonly messages: EncodedMessage[] = [];
  isDown = false;
  delayMs = 0;
  attempts = 0;
  /** Maximum message size of the visits topic, in bytes. */
  maxBytes = Infinity;

  async publishAll(publications: readonly Publication[]): Promise<void> {
    await this.publishEncoded(publications.flatMap(({ topic, values }) => values.map((value) => topic.encode(value))));
  }

  async publishEncoded(messages: readonly EncodedMessage[]): Promise<void> {
    this.attempts += 1;
    if (this.isDown) {
      await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      throw new BusUnavailableError('Kafka is down');
    }
    const isTooLarge = ({ topic, value }: EncodedMessage) =>
      topic === TOPICS.visitsReceived && value.length > this.maxBytes;
    if (messages.some(isTooLarge)) throw new BusUnavailableError('too large', { reason: 'too_large' });
    this.messages.push(...messages);
  }

  subscribe(): void {}
  async start(): Promise<void> {}
  async close(): Promise<void> {}
  getFault(): string | null {
    return null;
  }
}

let database: TestDatabase;
let bus: SwitchableBus;
let health: Health;
let outbox: OutboxService;
let repository: OutboxRepository;

beforeAll(async () => {
  database = await startTestDatabase();
});
beforeEach(async () => {
  await database.dataSource.query('TRUNCATE visits_outbox');
  start();
});
afterEach(() => outbox.beforeApplicationShutdown());
afterAll(() => database.stop());

function start({ maxBytes = 2 ** 30 } = {}): void {
  bus = new SwitchableBus();
  health = new Health();
  repository = new OutboxRepository(database.dataSource);
  outbox = new OutboxService(bus, repository, { OUTBOX_MAX_BYTES: maxBytes }, health, pino({ level: 'silent' }));
  outbox.onApplicationBootstrap();
}

const message = (text: string, value = Buffer.from(text)): EncodedMessage => ({
  topic: TOPICS.visitsReceived,
  key: text,
  value,
  headers: { batch_id: text, 'with "quotes"': 'ä\n' },
});
const publish = (messages: EncodedMessage[]): Promise<void> =>
  outbox.publishAll([{ topic: createRawTopic(TOPICS.visitsReceived), values: messages } as Publication]);
const state = () => repository.state();

it('publishes to Kafka directly while Kafka is up', async () => {
  await publish([message('one'), message('two')]);
  expect(bus.messages).toEqual([message('one'), message('two')]);
  expect(await state()).toMatchObject({ messages: 0, age: 0 });
});

it('stores messages byte for byte while Kafka is down and forwards each one once', async () => {
  bus.isDown = true;
  const bytes = Buffer.from([0, 1, 255, 92, 39, 10]);
  for (let count = 0; count < 50; count += 1) await publish([message(`kept-${count}`, bytes)]);
  expect(await state()).toMatchObject({ messages: 50 });
  await until(async () => (await health.report()).faults['outbox']?.startsWith('50 messages waiting for Kafka'), {
    condition: 'the health report lists the waiting messages',
  });
  expect((await health.report()).isReady).toBe(true);
  bus.isDown = false;
  await until(async () => (await state()).messages === 0, { condition: 'all messages are forwarded' });
  expect(bus.messages).toEqual(
    Array.from({ length: 50 }, (_, count) => message(`kept-${count}`, bytes)).map(expect.objectContaining),
  );
});

it('dead-letters a message that is too large for Kafka and forwards the others', async () => {
  bus.maxBytes = 10;
  const names = ['first', 'too large for the topic', 'second', 'third'];
  await publish(names.map((name) => message(name)));
  await until(async () => (await state()).messages === 0, { condition: 'the outbox is empty' });
  const texts = (topic: string) => new Set(bus.messages.filter((each) => each.topic === topic).map(({ key }) => key));
  expect(texts(TOPICS.visitsReceived)).toEqual(new Set(['first', 'second', 'third']));
  expect(texts(TOPICS.visitsDeadLetter)).toEqual(new Set(['too large for the topic']));
  const letter = bus.messages.find(({ topic }) => topic === TOPICS.visitsDeadLetter)!;
  expect(letter.headers).toMatchObject({
    dead_letter_reason: 'too_large',
    original_batch_id: 'too large for the topic',
  });
  // Kafka is up, so the next message bypasses the outbox.
  bus.messages.length = 0;
  await publish([message('next')]);
  expect(bus.messages).toEqual([message('next')]);
});

it("doesn't try Kafka on every publish while it is down", async () => {
  bus.isDown = true;
  bus.delayMs = 300;
  await publish([message('first')]);
  await Promise.all(Array.from({ length: 100 }, (_, count) => publish([message(`more-${count}`)])));
  // The circuit breaker limits how often publishes try Kafka again.
  expect(bus.attempts).toBeLessThan(50);
});

it('rejects messages if Kafka is down and the outbox table is locked', async () => {
  bus.isDown = true;
  bus.delayMs = 1_500;
  const blocker = database.dataSource.createQueryRunner();
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE visits_outbox IN ACCESS EXCLUSIVE MODE');
  await expect(publish([message('refused')])).rejects.toBeInstanceOf(BusUnavailableError);
  await blocker.query('ROLLBACK');
  await blocker.release();
});

it('limits the outbox size and empties the outbox when Kafka is back', async () => {
  await outbox.beforeApplicationShutdown();
  start({ maxBytes: 1_000_000 });
  bus.isDown = true;
  const large = () => publish([message('large', Buffer.alloc(200_000, 1))]).then(() => true);
  const results = await Promise.all(Array.from({ length: 3 }, large));
  expect(results).toEqual([true, true, true]);
  // The outbox can store a few more messages before it's full.
  const more = Array.from({ length: 10 }, () => large);
  const publishMore = async (): Promise<void> => {
    for (const publish of more) await publish();
  };
  await expect(publishMore()).rejects.toThrow('neither Kafka nor the outbox');
  expect((await state()).bytes).toBeLessThan(1_300_000);
  bus.isDown = false;
  await until(async () => (await state()).messages === 0, { condition: 'the outbox is empty' });
  // Forwarding all messages frees their disk space.
  await until(async () => (await state()).bytes < 100_000, { condition: 'the outbox shrinks' });
});

it('forwards each message once if several gateways share the outbox', async () => {
  for (let count = 0; count < 40; count += 1) await repository.add([message(`left-${count}`, Buffer.alloc(100_000))]);
  const sent: string[] = [];
  const forward = () =>
    repository.forward(1_000_000, async (messages) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      sent.push(...messages.map(({ key }) => key!));
    });
  while ((await Promise.all([forward(), forward(), forward()])).some((count) => count > 0));
  await until(() => sent.length + bus.messages.length >= 40, { condition: 'all messages are sent' });
  const keys = [...sent, ...bus.messages.map(({ key }) => key!)];
  expect(new Set(keys).size).toBe(40);
  expect(keys).toHaveLength(40);
});

it("retains messages that couldn't be forwarded", async () => {
  await outbox.beforeApplicationShutdown();
  await repository.add([message('stays')]);
  await expect(repository.forward(1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await state()).toMatchObject({ messages: 1 });
});

import { randomUUID } from 'node:crypto';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Admin, Producer } from 'kafkajs';
import { VISIT_CHANGES, type EncodedMessage } from '#libs/bus';
import { TOPIC_SETTINGS, TOPICS, type EnrichedVisit, type VisitChange } from '#libs/contracts';
import { undocumented } from '../kit/async-api.js';
import { enrichPosted } from '../kit/enrich-posted.js';
import { freePort, leftOvers, temporaryFolder, until } from '../kit/instance.js';
import { KafkaCluster } from '../kit/kafka.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { ensureCommands } from '../stack/packages.js';
import { pythonWith } from '../stack/python.js';

const EXAMPLES = join(import.meta.dirname, '../../docs/consumers');
const topic = TOPICS.visitsEnriched;
let folder: string;

/** By language: prepares the example and returns its command line. */
const COMMANDS: Record<string, () => Promise<string[]>> = {
  typescript: async () => [
    process.execPath,
    '--disable-warning=TimeoutNegativeWarning',
    join(EXAMPLES, 'typescript/consumer.ts'),
  ],
  python: async () => [
    await pythonWith(join(EXAMPLES, 'python/requirements.txt')),
    join(EXAMPLES, 'python/consumer.py'),
  ],
  go: async () => {
    await ensureCommands({ go: 'golang-go' });
    const program = join(folder, 'consumer');
    await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: join(EXAMPLES, 'go') });
    return [program];
  },
};

/** Sample visits, each from a different client so that every partition gets some. */
const visits = (name: string, count: number): object[] =>
  Array.from({ length: count }, (_, place) => ({
    request_path: `/${name}/${place}`,
    request_method: 'GET',
    request_headers: {
      'user-agent': ['Mozilla/5.0 (compatible; GPTBot/1.2)', 'somebody/1.0'][place % 2],
      'x-forwarded-for': `203.0.113.${place}`,
    },
  }));

/** The fields that an example prints for a message, with the path unquoted. */
const lineOf = ({ value }: EncodedMessage): string[] => {
  const { occurred_at, identification, visit } = JSON.parse(value.toString()) as EnrichedVisit;
  return [occurred_at, identification.result, identification.agent_token ?? '-', visit.request_path];
};
const idOf = ({ value }: EncodedMessage): string => (JSON.parse(value.toString()) as EnrichedVisit).id;
const inOrder = (lines: string[][]): string[] => lines.map((line) => line.join(' ')).toSorted();

/** A consumer running in its own process. */
class Running {
  output = '';
  errors = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor([command, ...args]: string[], env: Record<string, string>) {
    this.child = spawn(command!, args, { env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', ...env } });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    leftOvers.add(this);
  }

  get lines(): string[] {
    return this.output.split('\n').slice(0, -1);
  }

  repeatsOf(ids: readonly string[]): string[] {
    return this.lines.filter((line) => ids.some((id) => line === `repeat ${id}`));
  }

  /** Printed visits, without repeats, changes and the late visits. */
  get visits(): string[][] {
    return this.lines
      .filter((line) => !/^(repeat|changed|erased|removed) |"\/late/.test(line))
      .map((line) => {
        const [, time, result, agent, path] = /^(\S+) (\S+) (.+?) (".*")$/.exec(line)!;
        return [time!, result!, agent!, JSON.parse(path!) as string];
      });
  }

  async untilLines(count: number): Promise<void> {
    await until(() => this.lines.length >= count || this.child.exitCode !== null, {
      what: `${count} lines`,
      explain: () => this.output + this.errors,
    });
  }

  async stop(signal: NodeJS.Signals): Promise<number | null> {
    leftOvers.delete(this);
    this.child.kill(signal);
    return this.exited;
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
  }
}

const USER = { name: 'reports', password: 'reports-password' };

describe('example consumers', () => {
  let cluster: KafkaCluster;
  let saslBroker: string;
  let admin: Admin;
  let producer: Producer;
  /** The visits on the topic, without the repeated one. */
  const published: EncodedMessage[] = [];
  let repeated: EncodedMessage;
  /** Number of messages on both topics. Each produces one line. */
  let total = 0;

  const publish = async (messages: EncodedMessage[]): Promise<void> => {
    total += messages.length;
    await producer.send({
      topic: messages[0]!.topic,
      acks: -1,
      messages: messages.map(({ key, value, headers }) => ({ key, value, headers })),
    });
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    const port = await freePort();
    saslBroker = `127.0.0.1:${port}`;
    const jaas = (module: string, users = '') => `org.apache.kafka.common.security.${module} required ${users};`;
    cluster = await KafkaCluster.start({
      listeners: { CLIENT: { protocol: 'SASL_PLAINTEXT', port } },
      scramUser: USER,
      settings: {
        'listener.name.client.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        'listener.name.client.plain.sasl.jaas.config': jaas(
          'plain.PlainLoginModule',
          `user_${USER.name}="${USER.password}"`,
        ),
        'listener.name.client.scram-sha-256.sasl.jaas.config': jaas('scram.ScramLoginModule'),
        'listener.name.client.scram-sha-512.sasl.jaas.config': jaas('scram.ScramLoginModule'),
      },
    });
    await writeFile(join(folder, 'kafka-password'), `${USER.password}\n`);
    const kafka = new Kafka({ brokers: [...cluster.addresses], logLevel: logLevel.NOTHING });
    admin = kafka.admin();
    producer = kafka.producer();
    await Promise.all([admin.connect(), producer.connect()]);
    const configEntries = [{ name: 'max.message.bytes', value: String(TOPIC_SETTINGS[topic].maxMessageBytes) }];
    const topics = [topic, TOPICS.visitsChanged].map((name) => ({ topic: name, numPartitions: 3, configEntries }));
    await admin.createTopics({ waitForLeaders: true, topics });
    const [first] = visits('first', 1);
    published.push(
      ...enrichPosted([
        ...visits('first', 20),
        { ...first, request_path: '/a line\nand "größe" \u001b[31m' },
        { ...first, request_path: '/large', response_headers: { large: 'x'.repeat(400_000) } },
      ]),
    );
    repeated = published[7]!;
    expect(published.flatMap(undocumented)).toEqual([]);
    await publish([...published, repeated]);
  });
  afterAll(async () => {
    await Promise.all([admin?.disconnect(), producer?.disconnect()]);
    await cluster?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(COMMANDS))(
    'in %s prints every visit once, commits its offsets and resumes after a restart',
    async (language) => {
      const command = await COMMANDS[language]!();
      const env = { KAFKA_BROKERS: cluster.addresses.join(','), GROUP_ID: `example-${language}` };
      const first = new Running(command, env);
      await first.untilLines(total);
      expect(await first.stop('SIGTERM')).toBe(0);
      expect(inOrder(first.visits)).toEqual(inOrder(published.map(lineOf)));
      expect(first.repeatsOf(published.map(idOf))).toEqual([`repeat ${idOf(repeated)}`]);
      expect(await lag(env.GROUP_ID)).toBe(0);

      const more = enrichPosted(visits(language, 10));
      published.push(...more);
      await publish(more);
      const second = new Running(command, { ...env, ...signedIn('scram-sha-512') });
      await second.untilLines(more.length);
      expect(await second.stop('SIGINT')).toBe(0);
      expect(inOrder(second.visits)).toEqual(inOrder(more.map(lineOf)));
      expect(second.repeatsOf(published.map(idOf))).toEqual([]);
    },
    180_000,
  );

  it.each(Object.keys(COMMANDS))(
    'in %s applies changes, even to visits that arrive later',
    async (language) => {
      const command = await COMMANDS[language]!();
      const env = { KAFKA_BROKERS: cluster.addresses.join(','), GROUP_ID: `changes-${language}` };
      const consumer = new Running(command, env);
      await consumer.untilLines(total);
      const before = consumer.lines.length;
      const late = enrichPosted(visits(`late/${language}`, 2));
      const [changed, erased] = late.map(({ value }) => JSON.parse(value.toString()) as EnrichedVisit);
      const changeOf = (change: VisitChange['change'], { id, ...visit }: EnrichedVisit, now = {}): VisitChange => ({
        id: randomUUID(),
        changed_at: new Date().toISOString(),
        change,
        project_id: visit.project_id,
        visit_id: change === 'project_removed' ? null : id,
        received_at: visit.received_at,
        occurred_at: visit.occurred_at,
        ...now,
      });
      const identification = { ...changed!.identification, result: 'verified' as const };
      const changes = [
        changeOf('reidentified', changed!, { enriched_visit: { ...changed!, identification } }),
        changeOf('erased', erased!),
        changeOf('project_removed', erased!),
      ].map((change) => VISIT_CHANGES.encode(change));
      expect(changes.flatMap(undocumented)).toEqual([]);
      await publish(changes);
      await consumer.untilLines(total);
      await publish(late);
      await consumer.untilLines(total);
      expect(await consumer.stop('SIGTERM')).toBe(0);
      const { occurred_at: at, visit } = changed!;
      expect(consumer.lines.slice(before).toSorted()).toEqual(
        [
          `changed ${at} verified ${identification.agent_token} ${JSON.stringify(visit.request_path)}`,
          `erased ${erased!.id}`,
          `removed ${erased!.project_id}`,
          `repeat ${changed!.id}`,
          `repeat ${erased!.id}`,
        ].toSorted(),
      );
    },
    180_000,
  );

  const signedIn = (mechanism: string): Record<string, string> => ({
    KAFKA_BROKERS: saslBroker,
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: USER.name,
    KAFKA_SASL_PASSWORD_FILE: join(folder, 'kafka-password'),
  });

  it.each(Object.keys(COMMANDS))(
    'in %s exits with a clear error if access is denied',
    async (language) => {
      const command = await COMMANDS[language]!();
      const env = { KAFKA_BROKERS: saslBroker, GROUP_ID: `refused-${language}` };
      const wrong = { KAFKA_SASL_USERNAME: USER.name, KAFKA_SASL_PASSWORD: 'wrong' };
      const runs: [Record<string, string>, RegExp][] = [
        [env, /KAFKA_SASL_USERNAME/],
        [{ ...env, ...wrong }, /authentication/i],
        [{ ...env, ...signedIn('kerberos') }, /KAFKA_SASL_MECHANISM must be plain, scram-sha-256/],
        [{ KAFKA_BROKERS: saslBroker }, /set GROUP_ID/],
      ];
      for (const [given, error] of runs) {
        const refused = new Running(command, given);
        expect(await refused.exited).toBe(1);
        leftOvers.delete(refused);
        expect(refused.output).toBe('');
        expect(refused.errors).toMatch(error);
      }
    },
    180_000,
  );

  it.each(Object.keys(COMMANDS))(
    'in %s logs in with the plain mechanism by default',
    async (language) => {
      const command = await COMMANDS[language]!();
      const { KAFKA_SASL_MECHANISM: _, ...byDefault } = signedIn('plain');
      const consumer = new Running(command, { ...byDefault, GROUP_ID: `plain-${language}` });
      await consumer.untilLines(published.length);
      expect(await consumer.stop('SIGTERM')).toBe(0);
      expect(consumer.errors).toContain(`as group plain-${language}`);
    },
    180_000,
  );

  async function lag(groupId: string): Promise<number> {
    const [ends, groups] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
    ]);
    const committed = new Map(groups[0]!.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    return ends.reduce((sum, { partition, high }) => sum + Number(high) - (committed.get(partition) ?? 0), 0);
  }
});

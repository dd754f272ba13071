import { randomUUID } from 'node:crypto';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Admin, Producer } from 'kafkajs';
import { VISIT_CHANGES, type EncodedMessage } from '#libs/bus';
import { TOPIC_SETTINGS, TOPICS, type EnrichedVisit, type VisitChange } from '#libs/contracts';
import { findDeviations } from '../kit/async-api.js';
import { createEnrichedMessages } from '../kit/enriched-messages.js';
import { isFullRun } from '../kit/faults.js';
import { freePort, disposables, temporaryFolder, until } from '../kit/instance.js';
import { KafkaCluster } from '../kit/kafka.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { ensureCommands } from '../stack/packages.js';
import { ensurePython } from '../stack/python.js';

const EXAMPLES = join(import.meta.dirname, '../../docs/consumers');
const topic = TOPICS.visitsEnriched;
let folder: string;

/** Functions that prepare an example and return its command line, by language. */
const COMMANDS: Record<string, () => Promise<string[]>> = {
  typescript: async () => [
    process.execPath,
    '--disable-warning=TimeoutNegativeWarning',
    join(EXAMPLES, 'typescript/consumer.ts'),
  ],
  python: async () => [
    await ensurePython(join(EXAMPLES, 'python/requirements.txt')),
    join(EXAMPLES, 'python/consumer.py'),
  ],
  go: async () => {
    await ensureCommands({ go: 'golang-go' });
    const program = join(folder, 'consumer');
    await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: join(EXAMPLES, 'go') });
    return [program];
  },
};

/** Short runs don't install Go. */
const LANGUAGES = Object.keys(COMMANDS).filter((language) => isFullRun || language !== 'go');

/** Returns sample visits, each from a different client so that every partition gets some. */
const visits = (name: string, count: number): object[] =>
  Array.from({ length: count }, (_, place) => ({
    request_path: `/${name}/${place}`,
    request_method: 'GET',
    request_headers: {
      'user-agent': ['Mozilla/5.0 (compatible; GPTBot/1.2)', 'somebody/1.0'][place % 2],
      'x-forwarded-for': `203.0.113.${place}`,
    },
  }));

/** Returns the fields that an example prints for a message, with the path unquoted. */
const toPrintedFields = ({ value }: EncodedMessage): string[] => {
  const { occurred_at, identification, visit } = JSON.parse(value.toString()) as EnrichedVisit;
  return [occurred_at, identification.result, identification.agent_token ?? '-', visit.request_path];
};
const getVisitId = ({ value }: EncodedMessage): string => (JSON.parse(value.toString()) as EnrichedVisit).id;
const sortLines = (lines: string[][]): string[] => lines.map((line) => line.join(' ')).toSorted();

/** Consumer running in a separate process. */
class RunningConsumer {
  output = '';
  errors = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor([command, ...args]: string[], env: Record<string, string>) {
    this.child = spawn(command!, args, { env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', ...env } });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    disposables.add(this);
  }

  get lines(): string[] {
    return this.output.split('\n').slice(0, -1);
  }

  getRepeats(ids: readonly string[]): string[] {
    return this.lines.filter((line) => ids.some((id) => line === `repeat ${id}`));
  }

  /** Printed visits, excluding repeats, changes, and late visits. */
  get visits(): string[][] {
    return this.lines
      .filter((line) => !/^(repeat|changed|erased|removed) |"\/late/.test(line))
      .map((line) => {
        const [, time, result, agent, path] = /^(\S+) (\S+) (.+?) (".*")$/.exec(line)!;
        return [time!, result!, agent!, JSON.parse(path!) as string];
      });
  }

  async waitForLines(count: number): Promise<void> {
    await until(() => this.lines.length >= count || this.child.exitCode !== null, {
      condition: `${count} lines are printed`,
      explain: () => this.output + this.errors,
    });
  }

  async stop(signal: NodeJS.Signals): Promise<number | null> {
    disposables.delete(this);
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
  /** Visits on the topic, without the repeated one. */
  const published: EncodedMessage[] = [];
  let repeated: EncodedMessage;
  /** Number of messages on both topics. Each message produces one line. */
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
      ...createEnrichedMessages([
        ...visits('first', 20),
        { ...first, request_path: '/a line\nand "größe" \u001b[31m' },
        { ...first, request_path: '/large', response_headers: { large: 'x'.repeat(400_000) } },
      ]),
    );
    repeated = published[7]!;
    expect(published.flatMap(findDeviations)).toEqual([]);
    await publish([...published, repeated]);
  });
  afterAll(async () => {
    await Promise.all([admin?.disconnect(), producer?.disconnect()]);
    await cluster?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(LANGUAGES)(
    'the %s consumer prints every visit once, commits its offsets, and resumes after a restart',
    async (language) => {
      const command = await COMMANDS[language]!();
      const env = { KAFKA_BROKERS: cluster.addresses.join(','), GROUP_ID: `example-${language}` };
      const first = new RunningConsumer(command, env);
      await first.waitForLines(total);
      expect(await first.stop('SIGTERM')).toBe(0);
      expect(sortLines(first.visits)).toEqual(sortLines(published.map(toPrintedFields)));
      expect(first.getRepeats(published.map(getVisitId))).toEqual([`repeat ${getVisitId(repeated)}`]);
      expect(await lag(env.GROUP_ID)).toBe(0);

      const more = createEnrichedMessages(visits(language, 10));
      published.push(...more);
      await publish(more);
      const second = new RunningConsumer(command, { ...env, ...createSaslEnv('scram-sha-512') });
      await second.waitForLines(more.length);
      expect(await second.stop('SIGINT')).toBe(0);
      expect(sortLines(second.visits)).toEqual(sortLines(more.map(toPrintedFields)));
      expect(second.getRepeats(published.map(getVisitId))).toEqual([]);
    },
    180_000,
  );

  it.each(LANGUAGES)(
    'the %s consumer applies changes, even to visits that arrive later',
    async (language) => {
      const command = await COMMANDS[language]!();
      const env = { KAFKA_BROKERS: cluster.addresses.join(','), GROUP_ID: `changes-${language}` };
      const consumer = new RunningConsumer(command, env);
      await consumer.waitForLines(total);
      const before = consumer.lines.length;
      const late = createEnrichedMessages(visits(`late/${language}`, 2));
      const [changed, erased] = late.map(({ value }) => JSON.parse(value.toString()) as EnrichedVisit);
      const createChange = (change: VisitChange['change'], { id, ...visit }: EnrichedVisit, now = {}): VisitChange => ({
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
        createChange('reidentified', changed!, { enriched_visit: { ...changed!, identification } }),
        createChange('erased', erased!),
        createChange('project_removed', erased!),
      ].map((change) => VISIT_CHANGES.encode(change));
      expect(changes.flatMap(findDeviations)).toEqual([]);
      await publish(changes);
      await consumer.waitForLines(total);
      await publish(late);
      await consumer.waitForLines(total);
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

  const createSaslEnv = (mechanism: string): Record<string, string> => ({
    KAFKA_BROKERS: saslBroker,
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: USER.name,
    KAFKA_SASL_PASSWORD_FILE: join(folder, 'kafka-password'),
  });

  it.each(LANGUAGES)(
    'the %s consumer exits with a clear error if access is denied',
    async (language) => {
      const command = await COMMANDS[language]!();
      const env = { KAFKA_BROKERS: saslBroker, GROUP_ID: `refused-${language}` };
      const wrong = { KAFKA_SASL_USERNAME: USER.name, KAFKA_SASL_PASSWORD: 'wrong' };
      const runs: [Record<string, string>, RegExp][] = [
        [env, /KAFKA_SASL_USERNAME/],
        [{ ...env, ...wrong }, /authentication/i],
        [{ ...env, ...createSaslEnv('kerberos') }, /KAFKA_SASL_MECHANISM must be plain, scram-sha-256/],
        [{ KAFKA_BROKERS: saslBroker }, /set GROUP_ID/],
      ];
      for (const [given, error] of runs) {
        const deniedConsumer = new RunningConsumer(command, given);
        expect(await deniedConsumer.exited).toBe(1);
        disposables.delete(deniedConsumer);
        expect(deniedConsumer.output).toBe('');
        expect(deniedConsumer.errors).toMatch(error);
      }
    },
    180_000,
  );

  it.each(LANGUAGES)(
    'the %s consumer logs in with the plain mechanism by default',
    async (language) => {
      const command = await COMMANDS[language]!();
      const { KAFKA_SASL_MECHANISM: _, ...byDefault } = createSaslEnv('plain');
      const consumer = new RunningConsumer(command, { ...byDefault, GROUP_ID: `plain-${language}` });
      await consumer.waitForLines(published.length);
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

import { randomUUID } from 'node:crypto';
import type { Admin } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS, type TopicName } from '#libs/contracts';
import { KAFKA_ACCESS } from '#libs/bus';
import { SHORT_LIVED_JVM_OPTIONS } from '../stack/kafka-files.ts';
import { Stack } from '../stack/stack.ts';
import { PORT_OFFSET } from '../kit/deployment.js';
import { disposables, until } from '../kit/instance.js';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from '../kit/kafkajs.js';

/** kafkajs looks up a group's coordinator first and reports denied access as KafkaJSGroupCoordinatorNotFound. */
const DENIED = /_AUTHORIZATION_FAILED$|^KafkaJSGroupCoordinatorNotFound$/;
const USERS = Object.keys(KAFKA_ACCESS);
const READERS = USERS.filter((user) => KAFKA_ACCESS[user]!.reads.length > 0);
const GROUPS = [...Object.values(CONSUMER_GROUPS), 'agent-traffic-replay-1', 'reports'];

const GRANT = {
  resourceType: AclResourceTypes.TOPIC,
  resourceName: TOPICS.visitsReceived,
  resourcePatternType: ResourcePatternTypes.LITERAL,
  principal: 'User:consumer',
  host: '*',
  operation: AclOperationTypes.READ,
  permissionType: AclPermissionTypes.ALLOW,
};

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({
    only: ['kafka', 'postgres', 'migrate'],
    portOffset: PORT_OFFSET,
    javaOptions: SHORT_LIVED_JVM_OPTIONS,
  });
  disposables.add({ dispose: () => stack.stop() });
  // Wait until a group has a coordinator. From then on, every group has one.
  await withAdmin('migrate', (admin) =>
    until(() => admin.fetchOffsets({ groupId: 'first', topics: [TOPICS.audit] }).catch(() => null), {
      condition: 'groups have coordinators',
      timeoutMs: 60_000,
    }),
  );
}, 240_000);
afterAll(() => stack?.stop());

const createClient = async (user: string) =>
  new Kafka({ ...(await stack.kafkaClient(user)), logLevel: logLevel.NOTHING, retry: { retries: 0 } });

interface KafkaError {
  name: string;
  type?: string;
  cause?: { type?: string };
}

/**
 * Returns true if the user is allowed to do the work, or false if Kafka denies access.
 *
 * @throws any other error
 */
async function isAllowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const { name, type, cause, errors } = error as KafkaError & { errors?: KafkaError[] };
    if (DENIED.test(type ?? cause?.type ?? errors?.[0]?.type ?? name)) return false;
    throw error;
  }
}

async function withAdmin<T>(user: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = (await createClient(user)).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

async function canWrite(user: string, topic: TopicName): Promise<boolean> {
  const producer = (await createClient(user)).producer();
  await producer.connect();
  try {
    return await isAllowed(() => producer.send({ topic, messages: [{ value: '{}' }] }));
  } finally {
    await producer.disconnect();
  }
}

/**
 * Returns whether the user can read a message. Retries other errors, because the coordinator may still be loading the
 * group.
 */
async function canRead(user: string, topic: TopicName, groupId: string): Promise<boolean> {
  const { may } = await until(
    () =>
      tryRead(user, topic, groupId).then(
        (may) => ({ may }),
        () => null,
      ),
    {
      condition: `${user} reads ${topic} as ${groupId} or is denied access`,
      timeoutMs: 60_000,
    },
  );
  return may;
}

async function tryRead(user: string, topic: TopicName, groupId: string): Promise<boolean> {
  const consumer = (await createClient(user)).consumer({
    groupId,
    retry: { retries: 0, restartOnFailure: async () => false },
  });
  try {
    return await isAllowed(async () => {
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      const read = Promise.withResolvers<void>();
      consumer.on('consumer.crash', ({ payload }) => read.reject(payload.error));
      await consumer.run({ autoCommit: false, eachMessage: async () => read.resolve() });
      await read.promise;
    });
  } finally {
    await consumer.disconnect();
  }
}

it.each(USERS)('restricts writes by %s to its topics', async (user) => {
  const topics = Object.values(TOPICS);
  const allowed = [];
  for (const topic of topics) if (await canWrite(user, topic)) allowed.push(topic);
  expect(allowed.toSorted()).toEqual([...KAFKA_ACCESS[user]!.writes].toSorted());
});

it.each(READERS)('restricts %s to its consumer groups', async (user) => {
  const { reads, groups } = KAFKA_ACCESS[user]!;
  const joins = (group: string): boolean =>
    groups.includes('*') ? group === 'reports' : groups.some((name) => group.startsWith(name.replace('*', '')));
  await canWrite('migrate', reads[0]!);
  for (const group of GROUPS) expect([group, await canRead(user, reads[0]!, group)]).toEqual([group, joins(group)]);
});

it.each(USERS)('restricts reads by %s to its topics', async (user) => {
  const { reads, groups } = KAFKA_ACCESS[user]!;
  const group = groups[0]?.replace('*', randomUUID()) ?? 'reports';
  for (const topic of Object.values(TOPICS)) {
    await canWrite('migrate', topic);
    expect([topic, await canRead(user, topic, group)]).toEqual([topic, reads.includes(topic)]);
  }
});

it('prevents every service from creating topics or changing permissions', async () => {
  for (const user of USERS) {
    const mayCreate = await withAdmin(user, (admin) =>
      isAllowed(() => admin.createTopics({ topics: [{ topic: `of-${user}` }], waitForLeaders: false })),
    );
    const mayGrant = await withAdmin(user, (admin) => isAllowed(() => admin.createAcls({ acl: [GRANT] })));
    expect([user, mayCreate, mayGrant]).toEqual([user, false, false]);
  }
});

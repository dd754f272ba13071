import type { AclEntry } from 'kafkajs';
import { CONSUMER_GROUPS, TOPICS, type TopicName } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { withAdmin } from './kafka-inspection.js';
import type { KafkaOptions } from './kafka-options.js';
import { loadKafkajs } from './kafkajs.js';
import { REPLAY_GROUP_PREFIX } from './replay.js';

interface UserAccess {
  reads: readonly TopicName[];
  writes: readonly TopicName[];
  /**
   * Consumer groups that the user can join. A trailing `*` marks a prefix, and `*` alone means all groups except Agent
   * Traffic's own.
   */
  groups: readonly string[];
  /** Consumer groups whose members and offsets the user can read. */
  watches?: readonly string[];
}

/** Permissions by user, as documented in docs/operations/connections.md. All other access is denied. */
export const KAFKA_ACCESS: Readonly<Record<string, UserAccess>> = {
  gateway: { reads: [], writes: [TOPICS.visitsReceived, TOPICS.visitsDeadLetter], groups: [] },
  enrichment: {
    reads: [TOPICS.visitsReceived],
    writes: [TOPICS.visitsEnriched, TOPICS.visitsDeadLetter],
    groups: [CONSUMER_GROUPS.enrichment],
  },
  ingest: {
    reads: [TOPICS.visitsEnriched, TOPICS.visitsDeadLetter],
    writes: [TOPICS.visitsDeadLetter],
    groups: [CONSUMER_GROUPS.ingest],
  },
  console: {
    reads: [TOPICS.visitsReceived],
    writes: [TOPICS.audit, TOPICS.visitsChanged, TOPICS.visitsReceived, TOPICS.visitsEnriched],
    groups: [`${REPLAY_GROUP_PREFIX}*`],
    watches: Object.values(CONSUMER_GROUPS),
  },
  consumer: { reads: [TOPICS.visitsEnriched, TOPICS.visitsChanged, TOPICS.audit], writes: [], groups: ['*'] },
};

const AGENT_TRAFFIC_GROUPS = [...Object.values(CONSUMER_GROUPS), `${REPLAY_GROUP_PREFIX}*`];
/**
 * Users that can describe only the topics they read. All other users are services, which check all topics at startup.
 */
const EXTERNAL_USERS: ReadonlySet<string> = new Set(['consumer']);
/** Error code from clusters without an authorizer. */
const SECURITY_DISABLED = 'SECURITY_DISABLED';

/** Thrown if the brokers don't check permissions, so ACLs would have no effect. */
export class NoAuthorizerError extends Error {
  override name = 'NoAuthorizerError';
}

/**
 * Creates the ACLs in {@link KAFKA_ACCESS}. Existing ACLs remain unchanged.
 *
 * @throws {NoAuthorizerError} if the brokers have no authorizer.
 */
export function createAcls(options: KafkaOptions, logger: Logger): Promise<void> {
  return withAdmin({ options, logger, clientId: 'agent-traffic-cli' }, async (admin) => {
    try {
      await admin.createAcls({
        acl: Object.entries(KAFKA_ACCESS).flatMap(([user, access]) => createUserAcls(user, access)),
      });
    } catch (error) {
      if ((error as { type?: string }).type === SECURITY_DISABLED) {
        throw new NoAuthorizerError('The brokers have no authorizer, so all users have full access.', {
          cause: error,
        });
      }
      throw error;
    }
  });
}

function createUserAcls(user: string, { reads, writes, groups, watches = [] }: UserAccess): AclEntry[] {
  const { AclOperationTypes: operations, AclPermissionTypes: permissions } = loadKafkajs();
  const { AclResourceTypes: types, ResourcePatternTypes: patterns } = loadKafkajs();
  const createAcl = (
    resourceType: AclEntry['resourceType'],
    name: string,
    operation: AclEntry['operation'],
    permissionType = permissions.ALLOW,
  ): AclEntry => {
    const isPrefix = name.length > 1 && name.endsWith('*');
    return {
      resourceType,
      resourceName: isPrefix ? name.slice(0, -1) : name,
      resourcePatternType: isPrefix ? patterns.PREFIXED : patterns.LITERAL,
      principal: `User:${user}`,
      host: '*',
      operation,
      permissionType,
    };
  };
  const describableTopics = EXTERNAL_USERS.has(user) ? reads : Object.values(TOPICS);
  return [
    ...describableTopics.flatMap((topic) => [
      createAcl(types.TOPIC, topic, operations.DESCRIBE),
      createAcl(types.TOPIC, topic, operations.DESCRIBE_CONFIGS),
    ]),
    ...reads.map((topic) => createAcl(types.TOPIC, topic, operations.READ)),
    ...writes.map((topic) => createAcl(types.TOPIC, topic, operations.WRITE)),
    ...watches.map((group) => createAcl(types.GROUP, group, operations.DESCRIBE)),
    ...groups.flatMap((group) => [
      createAcl(types.GROUP, group, operations.READ),
      ...(group.startsWith(REPLAY_GROUP_PREFIX) ? [createAcl(types.GROUP, group, operations.DELETE)] : []),
    ]),
    // Deny rules take precedence over the permission for all groups.
    ...(groups.includes('*')
      ? AGENT_TRAFFIC_GROUPS.map((group) => createAcl(types.GROUP, group, operations.ALL, permissions.DENY))
      : []),
  ];
}
